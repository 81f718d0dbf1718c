"""Base of the items of a page: a name, a title, and the study that reproduces it."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from mvarena.papers.selector import Selector

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Item(Strict):
    """Item that can be requested by name: a table or a figure of a paper.

    name : as in `mvarena reproduce apmc-table-1`. study : the shipped study that makes it again.
    where : in the paper, as 'Table 1'; empty for what it does not have. notes : what the paper says, and what not.
    select : what holds for all of its trials.
    """

    name: Name
    title: str
    where: str = ""
    study: Name
    notes: tuple[str, ...] = ()
    select: Selector = Selector()
