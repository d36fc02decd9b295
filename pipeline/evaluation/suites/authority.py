"""Authority: does the prior agree with experts, and are sites of one owner heard as one voice?

source_quality_pc1: `spearman` of the prior with the experts' score, `covered`: share of domains known by name or by a
class of their own; source_factuality_mbfc: `auc_low`, the prior telling low factuality from the rest.
source_networks: with the folder's own files given as owners, `same_owner_recall` over pairs of sites of one owner
that are heard as one voice, and `false_merges`, pairs of different owners heard as one.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path

from pipeline.evaluation.metrics import auc, spearman
from pipeline.evaluation.rows import Measured, content, json_rows, sample
from pipeline.events.owners import Owners
from pipeline.scoring.authority import prior
from pipeline.settings import OwnersTable, Settings, load_settings
from pipeline.text import registrable
from pipeline.types import Candidate

TASK = "authority"


def run(folder: Path, *, limit: int | None = None) -> Measured:
    """Measure a folder (a sample of `limit` domains)."""
    settings = load_settings()
    if (folder / "domains.csv.gz").is_file():
        return _quality(folder / "domains.csv.gz", limit, settings)
    if (folder / "sources.jsonl").is_file():
        return _factuality(folder / "sources.jsonl", limit, settings)
    return _networks(folder, settings)


def _quality(path: Path, limit: int | None, settings: Settings) -> Measured:
    rows = sample(list(csv.DictReader(content(path).decode("utf-8").splitlines(keepends=True))), limit)
    priors = [prior(registrable(row["domain"]), settings, biases={}) for row in rows]
    covered = sum(one.origin != "class unlisted" for one in priors) / max(len(priors), 1)
    agreed = spearman([float(row["pc1"]) for row in rows], [one.mean for one in priors])
    return Measured(len(rows), {"spearman": agreed, "covered": covered})


def _factuality(path: Path, limit: int | None, settings: Settings) -> Measured:
    rows = sample(json_rows(path), limit)
    doubts = [1 - prior(registrable(row["domain"]), settings, biases={}).mean for row in rows]
    return Measured(len(rows), {"auc_low": auc([row["factuality"] == "low" for row in rows], doubts)})


# --------------------------------------------------------------------------- owners


def _networks(folder: Path, settings: Settings) -> Measured:
    groups = merged(_declared(folder))
    table = settings.owners.model_copy(update={"groups": groups})
    owners = Owners(settings.model_copy(update={"owners": OwnersTable(**table.model_dump())}))
    owner_of = {site: owner for owner, sites in groups.items() for site in sites}
    voice_of = {site: owners.owner(_report(site)) for site in owner_of}
    pairs = [pair for sites in groups.values() for pair in combinations(sites, 2)]
    together = sum(voice_of[a] == voice_of[b] for a, b in pairs)
    heard: dict[str, Counter[str]] = defaultdict(Counter)
    for site, voice in voice_of.items():
        heard[voice][owner_of[site]] += 1
    false = sum(x * y for counts in heard.values() for x, y in combinations(counts.values(), 2))
    return Measured(len(owner_of), {"same_owner_recall": together / max(len(pairs), 1), "false_merges": float(false)})


def _declared(folder: Path) -> Iterable[tuple[str, tuple[str, ...]]]:
    """(owner, domains) as the files say it; a site without a named owner is an owner of its own."""
    for row in json_rows(folder / "partisan_local_networks.jsonl"):
        yield f"network {row['network'] or row['domain']}", (row["domain"],)
    for row in json_rows(folder / "declared_sister_domains.jsonl"):
        sites = (row["primary"], *row["associated"], *row["cctld_variants"], *row["service"])
        yield f"set {row['primary']}", sites
    for row in json_rows(folder / "media_owners.jsonl"):
        yield f"owner {row['owner_key'] or row['organization']}", tuple(row["domains"])


def merged(declared: Iterable[tuple[str, tuple[str, ...]]]) -> Mapping[str, tuple[str, ...]]:
    """Owner -> its distinct sites; owners that share a site are one."""
    sites: dict[str, dict[str, None]] = {}
    owner_of: dict[str, str] = {}
    for name, listed in declared:
        same = dict.fromkeys(owner_of[site] for site in listed if site in owner_of)
        target = next(iter(same), name)
        for other in (name, *same):
            if other != target and other in sites:
                moved = sites.pop(other)
                sites.setdefault(target, {}).update(moved)
                owner_of.update(dict.fromkeys(moved, target))
        sites.setdefault(target, {}).update(dict.fromkeys(listed))
        owner_of.update(dict.fromkeys(listed, target))
    return {owner: tuple(listed) for owner, listed in sites.items()}


def _report(site: str) -> Candidate:
    return Candidate(id=site, source="file", endpoint="file", url=f"https://{site}/a", domain=site, title="", text="")
