// What Python in a sandbox finds: `tools`, `gateway`, `result` and `ToolError`, also as the module `lumenflow`.

export const pythonClient: string = String.raw`import json, sys, traceback

_requests = open(3, "w", encoding="utf-8", closefd=False)
_answers = open(4, "r", encoding="utf-8", closefd=False)
_last = 0
_given = []


class ToolError(Exception):
    def __init__(self, problem):
        super().__init__(problem["message"])
        self.code = problem["code"]
        self.details = problem.get("details")


def _write(message):
    _requests.write(json.dumps(message) + "\n")
    _requests.flush()


def _ask(operation, *args):
    global _last
    _last += 1
    _write({"id": _last, "operation": operation, "args": list(args)})
    answer = json.loads(_answers.readline())
    if answer["ok"]:
        return answer.get("value")
    raise ToolError(answer["problem"])


class _Tool:
    def __init__(self, path):
        self._path = path

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Tool(self._path + [name])

    def __call__(self, args=None, **named):
        return _ask("call", self._path, {**(args or {}), **named})


class _Gateway:
    def search_tools(self, query, **options):
        return _ask("search_tools", query, options)

    def list_namespaces(self):
        return _ask("list_namespaces")

    def describe_tool(self, id, **options):
        return _ask("describe_tool", id, options)

    def list_tool_examples(self, id):
        return _ask("list_tool_examples", id)

    def run_tool(self, id, args=None):
        return _ask("run_tool", id, args or {})

    def run_chain(self, steps, **options):
        return _ask("run_chain", steps, options)


tools = _Tool([])
gateway = _Gateway()


def result(value):
    _given[:] = [json.dumps(value, allow_nan=False)]


def _main(path):
    names = {"__name__": "__main__", "tools": tools, "gateway": gateway, "result": result, "ToolError": ToolError}
    try:
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), "code.py", "exec"), names)
    except SystemExit as exit:
        if exit.code not in (None, 0):
            raise
    except BaseException as error:
        lines = traceback.format_exception(type(error), error, error.__traceback__.tb_next)
        _write({"failure": "".join(lines)})
        sys.exit(1)
    if _given:
        _write({"value": _given[0]})
`;
