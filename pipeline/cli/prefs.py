"""`interests`, `mute`, `sets`, `profile`: what the analyst prefers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.common import MOST_DAYS, AsJson, emit, examples, group, listed, note, now, rows, say, settings, store
from pipeline.errors import InputError
from pipeline.text.counts import many

if TYPE_CHECKING:
    from pipeline.store.prefs import WordList

interests = group("interests", "Words that raise an item's preference; without any the dimension is off.")
mute = group("mute", "Domains and words that are never shown, listed as muted.")
sets = group("sets", "Sets of sources by name; `lately run --sources NAME` asks one.")
profile = group("profile", "Bundles of weights, decay, window, threshold, sources and authority biases.")

Words = Annotated[list[str] | None, typer.Argument(metavar="[WORD...]", help="The whole new list; none empties it.")]


@interests.command("list", epilog=examples("lately interests list"))
def list_interests(as_json: AsJson = False) -> None:
    """The words of the configuration and those set here."""
    _words("interests", settings().pipeline.interests, as_json)


@interests.command("set", epilog=examples("lately interests set chips 光刻机 'export controls'"))
def set_interests(words: Words = None) -> None:
    """Replace the words set here (those of the configuration stay)."""
    store().prefs.set_words("interests", words or (), now())
    note(f"{many(len(words or ()), 'interest word')} set; this holds from the next run on")


@mute.command("list", epilog=examples("lately mute list --json"))
def list_muted(as_json: AsJson = False) -> None:
    """Muted domains and words."""
    held = settings().pipeline
    if as_json:
        emit(
            {
                "domains": [*held.muted_domains, *store().prefs.words("muted domains")],
                "words": [*held.muted_words, *store().prefs.words("muted words")],
            }
        )
        return
    _words("muted domains", held.muted_domains, False)
    _words("muted words", held.muted_words, False)


@mute.command(
    "add", epilog=examples("lately mute add --domain spam.example", 'lately mute add --word "celebrity gossip"')
)
def add_muted(
    domain: Annotated[list[str] | None, typer.Option(help="A domain; repeatable.")] = None,
    word: Annotated[list[str] | None, typer.Option(help="A word or phrase; repeatable.")] = None,
) -> None:
    """Never show items of a domain, or with a word."""
    if not (domain or word):
        raise InputError("give --domain or --word")
    store().prefs.add_words("muted domains", domain or (), now())
    store().prefs.add_words("muted words", word or (), now())
    note("muted from the next run on")


@mute.command("remove", epilog=examples("lately mute remove --domain spam.example"))
def remove_muted(
    domain: Annotated[list[str] | None, typer.Option(help="A domain; repeatable.")] = None,
    word: Annotated[list[str] | None, typer.Option(help="A word or phrase; repeatable.")] = None,
) -> None:
    """Show them again. What the configuration mutes is changed there."""
    store().prefs.remove_words("muted domains", domain or ())
    store().prefs.remove_words("muted words", word or ())


def _words(name: WordList, configured: tuple[str, ...], as_json: bool) -> None:
    held = store().prefs.words(name)
    if as_json:
        emit({"configured": list(configured), "set": list(held)})
    else:
        say(f"{name}: {', '.join((*configured, *held)) or 'none'}")


# --------------------------------------------------------------------------- sets of sources


@sets.command("list", epilog=examples("lately sets list", "lately sets list --json"))
def list_sets(as_json: AsJson = False) -> None:
    """The sets of sources.yaml and those that were saved."""
    from pipeline.choices import source_sets

    configured, found = settings().sources.sets, source_sets(settings(), store())
    if as_json:
        emit({name: {"sources": list(of), "saved": name not in configured} for name, of in found.items()})
        return
    rows(
        "Sets of sources",
        ("name", "sources", "from"),
        [(name, ", ".join(of), "sources.yaml" if name in configured else "saved") for name, of in found.items()],
        empty="No set yet; `lately sets save desk rss,hackernews` makes one.",
    )


@sets.command("save", epilog=examples("lately sets save desk rss,hackernews,x"))
def save_set(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    sources: Annotated[str, typer.Argument(metavar="SOURCES", help="Sources, separated by commas.")],
) -> None:
    """Keep a choice of sources under a name; a saved set of that name is replaced."""
    from pipeline.choices import save_source_set

    kept = save_source_set(settings(), store(), name, listed(sources) or (), now())
    note(f"saved; `lately run QUESTION --sources {kept!r}` asks it")


@sets.command("delete", epilog=examples("lately sets delete desk"))
def delete_set(name: Annotated[str, typer.Argument(metavar="NAME")]) -> None:
    """Forget a saved set. Sets of sources.yaml are changed there."""
    if name not in store().prefs.source_sets():
        raise InputError(f"no set {name!r} is saved; `lately sets list` shows those that are")
    store().prefs.save_source_set(name, (), now())


# --------------------------------------------------------------------------- profiles


@profile.command("list", epilog=examples("lately profile list", "lately profile list --json"))
def list_profiles(as_json: AsJson = False) -> None:
    """Profiles that ship with the product and those that were saved."""
    found = settings().profiles
    if as_json:
        emit({name: one.model_dump(mode="json", exclude_none=True) for name, one in found.items()})
        return
    rows(
        "Profiles",
        ("name", "label", "decay", "#days", "#threshold", "about"),
        [(n, p.label, p.decay_function, p.days, p.threshold, p.description) for n, p in found.items()],
        empty="There is no profile.",
    )


@profile.command(
    "save", epilog=examples("lately profile save mine --weights timeliness=0.4,authority=0.3 --decay linear --days 60")
)
def save_profile(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    label: Annotated[str, typer.Option(help="What lists call it.")] = "",
    base: Annotated[str | None, typer.Option("--from", help="Start from this profile.")] = None,
    weights: Annotated[str | None, typer.Option(help="dimension=weight, separated by commas.")] = None,
    decay: Annotated[str | None, typer.Option(help="half_life, linear or exponential.")] = None,
    days: Annotated[int | None, typer.Option(min=1, max=MOST_DAYS, help="Days of the window.")] = None,
    threshold: Annotated[float | None, typer.Option(help="Points below which an item is not shown.")] = None,
    sources: Annotated[str | None, typer.Option(help="Sources to ask, separated by commas.")] = None,
) -> None:
    """Save a profile to the user's configuration."""
    from pipeline.cli.scores import _weights
    from pipeline.types import DIMENSION_NAMES

    held = settings()
    if base is not None and base not in held.profiles:
        raise InputError(f"there is no profile {base!r}; `lately profile list` shows them")
    made: dict[str, Any] = held.profiles[base].model_dump(mode="json", exclude_none=True) if base else {}
    if weights is not None:
        words = (*held.pipeline.interests, *made.get("interests", ()), *store().prefs.words("interests"))
        before = tuple((made.get("weights") or held.scoring.weights.model_dump())[one] for one in DIMENSION_NAMES)
        made["weights"] = dict(zip(DIMENSION_NAMES, _weights(weights, before, interests=words), strict=True))
    given = {"decay_function": decay, "days": days, "threshold": threshold, "sources": listed(sources)}
    made |= {
        key: list(value) if isinstance(value, tuple) else value for key, value in given.items() if value is not None
    }
    made["label"] = label or made.get("label") or name
    _check(made)
    note(f"saved to {store().files.save_profile(name, made)}")


def _check(made: dict[str, Any]) -> None:
    from pydantic import ValidationError

    from pipeline.settings import Profile

    try:
        Profile.model_validate(made)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(f"{'.'.join(map(str, first['loc']))}: {first['msg'].lower()}") from error


@profile.command("delete", epilog=examples("lately profile delete mine"))
def delete_profile(name: Annotated[str, typer.Argument(metavar="NAME")]) -> None:
    """Forget a saved profile. Those that ship with the product stay."""
    store().files.delete_profile(name)
