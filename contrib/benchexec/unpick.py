"""Tool-info module for BenchExec: runs `unpick check` on a task and reads its verdict.

Put this file where BenchExec looks for modules (for example `benchexec/tools/`), with `unpick` in PATH or in the
tool's folder.
"""
import json

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    REQUIRED_PATHS = ["bin", "lib"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("unpick", subdir="bin")

    def name(self):
        return "Unpick"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="unpick ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "--json", "--color", "never"] + list(options)
        if task.property_file:
            command += ["--property", task.property_file]
        if isinstance(task.options, dict) and task.options.get("language") in ("C", None):
            model = task.options.get("data_model")
            if model == "ILP32":
                command.append("-32")
            elif model == "LP64":
                command.append("-64")
            elif model:
                raise benchexec.tools.template.UnsupportedFeatureException(
                    f"Unpick does not know the data model {model}"
                )
        seconds = rlimits.cputime or rlimits.walltime
        if seconds and "--time" not in options:
            # A moment to tell what was found.
            command += ["--time", str(max(1, int(seconds * 0.9)))]
        return command + list(task.input_files_or_identifier)

    def determine_result(self, run):
        text = "\n".join(run.output)
        start = text.find("{")
        try:
            document = json.loads(text[start : text.rindex("}") + 1])
        except (ValueError, json.JSONDecodeError):
            return result.RESULT_ERROR
        verdict = document.get("verdict")
        if verdict == "clean":
            return result.RESULT_TRUE_PROP
        if verdict == "bug":
            return self._violated(document)
        if verdict == "undecided":
            reason = document.get("reason") or ""
            if "time limit" in reason:
                return "TIMEOUT"
            if "memory limit" in reason:
                return "OUT OF MEMORY"
            return result.RESULT_UNKNOWN
        return result.RESULT_ERROR

    def _violated(self, document):
        kind = document["findings"][0]["kind"] if document.get("findings") else ""
        return {
            "race": result.RESULT_FALSE_DATARACE,
            "overflow": result.RESULT_FALSE_OVERFLOW,
            "deadlock": result.RESULT_FALSE_DEADLOCK,
            "leak": self._leak(document),
            "double-free": result.RESULT_FALSE_FREE,
            "invalid-free": result.RESULT_FALSE_FREE,
            "use-after-free": result.RESULT_FALSE_DEREF,
            "out-of-bounds": result.RESULT_FALSE_DEREF,
            "crash": result.RESULT_FALSE_DEREF,
        }.get(kind, result.RESULT_FALSE_REACH)

    def _leak(self, document):
        cleanup = "valid-memcleanup" in document.get("property", "")
        return result.RESULT_FALSE_MEMCLEANUP if cleanup else result.RESULT_FALSE_MEMTRACK
