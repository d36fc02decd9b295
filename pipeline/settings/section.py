"""What every group of settings is made of."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1)]
WORD = BeforeValidator(lambda value: "off" if value is False else value)  # YAML reads a bare `off` as false


class Section(BaseModel):
    """A frozen group of settings; a key it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
