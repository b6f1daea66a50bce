#!/usr/bin/env python3
"""The tool-info module beside this file, called as BenchExec calls it: on documents that `unpick check` writes.

`python3 contrib/benchexec/test_unpick.py` needs no BenchExec: what the module uses of it is stood in for where it is not
installed. `UNPICK_BIN` names an `unpick`; without one, only documents that are written here are read.
"""
import importlib.util
import os
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def stand_in():
    """The part of BenchExec that the module uses."""
    result = types.ModuleType("benchexec.result")
    for name in ("REACH", "DATARACE", "OVERFLOW", "DEADLOCK", "FREE", "DEREF", "MEMTRACK", "MEMCLEANUP"):
        setattr(result, f"RESULT_FALSE_{name}", f"false({name.lower()})")
    result.RESULT_TRUE_PROP, result.RESULT_UNKNOWN, result.RESULT_ERROR = "true", "unknown", "ERROR"
    template = types.ModuleType("benchexec.tools.template")

    class BaseTool2:
        def _version_from_tool(self, executable, line_prefix):
            said = subprocess.run([executable, "--version"], capture_output=True, text=True).stdout
            return next(line[len(line_prefix) :] for line in said.splitlines() if line.startswith(line_prefix))

    class UnsupportedFeatureException(Exception):
        pass

    template.BaseTool2, template.UnsupportedFeatureException = BaseTool2, UnsupportedFeatureException
    package, tools = types.ModuleType("benchexec"), types.ModuleType("benchexec.tools")
    package.result, package.tools, tools.template = result, tools, template
    for module in (package, tools, result, template):
        sys.modules[module.__name__] = module


try:
    import benchexec.tools.template
except ImportError:
    stand_in()
import benchexec.result
import benchexec.tools.template

spec = importlib.util.spec_from_file_location("unpick_tool", HERE / "unpick.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)

TASK = types.SimpleNamespace(
    property_file="unreach-call.prp",
    options={"language": "C", "data_model": "ILP32"},
    input_files_or_identifier=["a.c"],
)
LIMITS = types.SimpleNamespace(cputime=100, walltime=None)
NONE = types.SimpleNamespace(cputime=None, walltime=None)


def run(text, status=0):
    """A run of the tool that printed this."""
    return types.SimpleNamespace(output=text.splitlines(), exit_code=types.SimpleNamespace(value=status, signal=None))


class Reading(unittest.TestCase):
    def setUp(self):
        self.tool = module.Tool()

    def read(self, text):
        return self.tool.determine_result(run(text))

    def test_command_line(self):
        words = self.tool.cmdline("/bin/unpick", ["--k-induction"], TASK, LIMITS)
        self.assertEqual(words[:2], ["/bin/unpick", "check"])
        self.assertEqual(words[-1], "a.c")
        self.assertIn("-32", words)
        self.assertEqual(words[words.index("--time") + 1], "90")
        self.assertEqual(words[words.index("--property") + 1], "unreach-call.prp")

    def test_limits_that_are_not_there(self):
        words = self.tool.cmdline("unpick", [], types.SimpleNamespace(**{**vars(TASK), "options": {}}), NONE)
        self.assertNotIn("--time", words)
        self.assertNotIn("-32", words)

    def test_a_data_model_that_nobody_knows(self):
        task = types.SimpleNamespace(**{**vars(TASK), "options": {"language": "C", "data_model": "LP32"}})
        with self.assertRaises(benchexec.tools.template.UnsupportedFeatureException):
            self.tool.cmdline("unpick", [], task, NONE)

    def test_verdicts(self):
        result = benchexec.result
        self.assertEqual(self.read('{"verdict": "clean"}'), result.RESULT_TRUE_PROP)
        self.assertEqual(self.read('{"verdict": "undecided", "reason": "what for"}'), result.RESULT_UNKNOWN)
        self.assertEqual(self.read('{"verdict": "undecided", "reason": "time limit"}'), "TIMEOUT")
        self.assertEqual(self.read('{"verdict": "undecided", "reason": "memory limit of 1"}'), "OUT OF MEMORY")
        self.assertEqual(self.read('{"verdict": "error"}'), result.RESULT_ERROR)

    def test_kinds(self):
        result = benchexec.result
        for kind, expected in {
            "assertion": result.RESULT_FALSE_REACH,
            "race": result.RESULT_FALSE_DATARACE,
            "overflow": result.RESULT_FALSE_OVERFLOW,
            "double-free": result.RESULT_FALSE_FREE,
            "use-after-free": result.RESULT_FALSE_DEREF,
        }.items():
            text = f'{{"verdict": "bug", "findings": [{{"kind": "{kind}"}}]}}'
            self.assertEqual(self.read(text), expected, kind)

    def test_what_is_lost_or_left(self):
        text = '{"verdict": "bug", "property": "CHECK( init(main()), LTL(G %s) )", "findings": [{"kind": "leak"}]}'
        self.assertEqual(self.read(text % "valid-memtrack"), benchexec.result.RESULT_FALSE_MEMTRACK)
        self.assertEqual(self.read(text % "valid-memcleanup"), benchexec.result.RESULT_FALSE_MEMCLEANUP)

    def test_what_is_no_document(self):
        for text in ("", "killed", "{", "{}", '{"verdict": 3}', "warning\n{\n"):
            self.assertEqual(self.read(text), benchexec.result.RESULT_ERROR, text)

    def test_words_around_the_document(self):
        self.assertEqual(self.read('a warning\n{"verdict": "clean"}\n'), benchexec.result.RESULT_TRUE_PROP)


@unittest.skipUnless(os.environ.get("UNPICK_BIN"), "UNPICK_BIN is not set")
class Running(unittest.TestCase):
    """The real tool's output."""

    def result(self, case, property_file, options):
        tool = module.Tool()
        folder = ROOT / "tests/check/svcomp" / case
        sources = [str(path) for path in folder.glob("*.c")]
        task = types.SimpleNamespace(
            property_file=str(folder / property_file), options=options, input_files_or_identifier=sources
        )
        with tempfile.TemporaryDirectory() as out:
            words = tool.cmdline(os.environ["UNPICK_BIN"], ["--out", out], task, LIMITS)
            said = subprocess.run(words, capture_output=True, text=True)
        return tool.determine_result(run(said.stdout, said.returncode))

    def test_verdicts(self):
        result, wide = benchexec.result, {"language": "C", "data_model": "LP64"}
        self.assertEqual(self.result("unreach-call", "unreach-call.prp", wide), result.RESULT_FALSE_REACH)
        self.assertEqual(self.result("unreach-call-not", "unreach-call.prp", wide), result.RESULT_TRUE_PROP)
        self.assertEqual(self.result("no-data-race", "no-data-race.prp", wide), result.RESULT_FALSE_DATARACE)
        self.assertEqual(self.result("memcleanup", "valid-memcleanup.prp", wide), result.RESULT_FALSE_MEMCLEANUP)

    def test_version(self):
        self.assertRegex(module.Tool().version(os.environ["UNPICK_BIN"]), r"^\d+\.\d+")


if __name__ == "__main__":
    unittest.main()
