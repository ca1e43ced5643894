"""The include checker finds what it should; that the project passes it is a test of its own."""
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import check_includes  # noqa: E402


def test_the_project_has_no_forbidden_edge():
    assert check_includes.check(ROOT) == []


def test_every_exception_is_needed():
    for path, included in check_includes.EXCEPTIONS:
        assert f'#include "{included}"' in (ROOT / path).read_text()


@pytest.mark.parametrize(
    "path, line, allowed",
    [
        # Downward, and never upward.
        ("src/base/a.h", '#include "graph/b.h"', False),
        ("src/math/a.h", '#include "simd/vector/b.h"', True),
        ("src/simd/vector/a.h", '#include "math/b.h"', False),
        ("src/graph/io/a.h", '#include "simd/text/b.h"', True),
        ("src/graph/a.h", '#include "tensors/b.h"', False),
        ("src/features/a.h", '#include "kge/b.h"', True),
        ("src/kge/a.h", '#include "features/b.h"', False),
        ("src/evidence/a.h", '#include "graph/b.h"', True),
        ("src/evidence/a.h", '#include "kge/b.h"', False),
        ("src/model/a.h", '#include "evidence/b.h"', True),
        ("src/model/a.cc", '#include "rank/b.h"', False),
        ("src/rank/a.cc", '#include "greenkgc/ids.h"', True),
        ("src/answers/a.cc", '#include "rank/b.h"', True),
        ("src/train/a.cc", '#include "answers/b.h"', False),
        ("src/train/a.cc", '#include "report/b.h"', False),
        ("src/report/a.cc", '#include "rank/b.h"', True),
        ("src/surprise/a.cc", '#include "base/b.h"', False),
        # Training folders.
        ("src/train/run/a.cc", '#include "kge/train/b.h"', True),
        ("src/train/run/a.cc", '#include "features/prune/b.h"', True),
        ("src/kge/train/a.cc", '#include "kge/b.h"', True),
        ("src/kge/a.cc", '#include "kge/train/b.h"', False),
        ("src/rank/a.cc", '#include "trees/train/b.h"', False),
        ("src/rank/a_test.cc", '#include "trees/train/b.h"', True),
        ("src/features/a.cc", '#include "features/prune/b.h"', False),
        ("src/report/a.cc", '#include "train/b.h"', False),
        ("reproduce/a.cc", '#include "report/b.h"', True),
        ("reproduce/a.cc", '#include "train/b.h"', False),
        # Helpers of tests.
        ("src/graph/a.cc", '#include "support/b.h"', False),
        ("src/graph/a_test.cc", '#include "support/b.h"', True),
        # Programs.
        ("apps/cli/a.cc", '#include "base/text.h"', False),
        ("apps/cli/a.cc", '#include "cli/command.h"', True),
        ("apps/cli/a.cc", '#include "server/a.h"', True),
        ("apps/server/a.cc", '#include "cli/command.h"', False),
        ("apps/shared/a.cc", '#include "server/a.h"', False),
        ("apps/server/http/a.cc", '#include "shared/a.h"', True),
        ("apps/server/a.cc", '#include "answers/a.h"', False),
        ("apps/server/a_test.cc", '#include "answers/a.h"', True),
        ("include/greenkgc/a.h", "#include <vector>", True),
        ("include/greenkgc/a.h", "#include <fmt/format.h>", False),
        ("include/greenkgc/a.h", '#include "base/text.h"', False),
    ],
)
def test_edges(tmp_path, path, line, allowed):
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(line + "\n")
    assert (check_includes.check(tmp_path) == []) == allowed
