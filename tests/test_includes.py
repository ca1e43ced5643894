"""The include checker finds what it should; that the project passes it is a test of its own."""
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import check_includes  # noqa: E402


def test_the_project_has_no_forbidden_edge():
    assert check_includes.check(ROOT) == []


@pytest.mark.parametrize(
    "path, line, allowed",
    [
        ("src/base/a.h", '#include "graph/b.h"', False),
        ("src/graph/a.h", '#include "kernels/b.h"', True),
        ("src/kernels/a.h", '#include "graph/b.h"', False),
        ("src/embed/a.h", '#include "prune/b.h"', False),
        ("src/rank/a.cc", '#include "decide/b.h"', False),
        ("src/rank/a.cc", '#include "greenkgc/ids.h"', True),
        ("src/pipeline/a.cc", '#include "decide/b.h"', True),
        ("src/model/a.cc", '#include "pipeline/b.h"', False),
        ("src/surprise/a.cc", '#include "base/b.h"', False),
        ("apps/cli/a.cc", '#include "base/text.h"', False),
        ("apps/cli/a.cc", '#include "command.h"', True),
        ("apps/cli/a.cc", '#include "server/a.h"', True),
        ("apps/server/a.cc", '#include "cli/command.h"', False),
        ("apps/server/a.cc", '#include "pipeline/a.h"', False),
        ("apps/server/a_test.cc", '#include "pipeline/a.h"', True),
        ("include/greenkgc/a.h", "#include <vector>", True),
        ("include/greenkgc/a.h", "#include <fmt/format.h>", False),
        ("include/greenkgc/a.h", '#include "base/text.h"', False),
    ],
)
def test_edges(tmp_path, path, line, allowed):
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(line + "\n")
    assert (check_includes.check(tmp_path) == []) == allowed
