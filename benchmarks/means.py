"""Write config/embedding/means.npz: the mean vector of each language's neutral headlines, for each packaged model.

python -m benchmarks.means
"""

from __future__ import annotations

import numpy as np
import yaml

from pipeline.embedding import MODELS
from pipeline.settings import bundled


def main() -> None:
    folder = bundled("config") / "embedding"
    sentences = yaml.safe_load((folder / "neutral.yaml").read_text("utf-8"))
    means = {
        f"{model}/{lang}": load().encode_raw(texts).mean(axis=0).astype(np.float16)
        for model, load in MODELS.items()
        if model != "hashed"  # its directions have no mean worth taking
        for lang, texts in sentences.items()
    }
    np.savez_compressed(folder / "means.npz", **means)
    for name, mean in means.items():
        print(f"{name}: length {np.linalg.norm(mean.astype(np.float32)):.3f}")


if __name__ == "__main__":
    main()
