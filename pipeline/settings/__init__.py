"""config/*.yaml and the environment -> one frozen `Settings`.

Order, later wins: the product's config/, the user's folder (LATELY_HOME/config/ of the same file names), then
environment variables LATELY_<FILE>__<KEY>[__<KEY>...]=YAML value, such as LATELY_PIPELINE__THRESHOLD=35.
Unknown keys and wrong types raise ConfigError naming file, key and line.

To add a setting: a field in its section (type and bounds), its line in the YAML file (unit and reason beside it).
"""

from pipeline.settings.entries import source_entry
from pipeline.settings.load import Settings, bundled, home, load_settings
from pipeline.settings.pipeline import Embedding, PipelineSettings, TimeWindow, XContext, XSettings
from pipeline.settings.scoring import Clickbait, Penalties, Relevance, ScoringSettings
from pipeline.settings.sources import CustomPage, Feed, Selectors, SourcesSettings
from pipeline.settings.tables import NamedSource, OwnersTable, Profile
from pipeline.settings.yamlfile import read_yaml

__all__ = [
    "Clickbait", "CustomPage", "Embedding", "Feed", "NamedSource", "OwnersTable", "Penalties",
    "PipelineSettings", "Profile", "Relevance", "ScoringSettings", "Selectors", "Settings", "SourcesSettings",
    "TimeWindow", "XContext", "XSettings", "bundled", "home", "load_settings", "read_yaml", "source_entry",
]  # fmt: skip
