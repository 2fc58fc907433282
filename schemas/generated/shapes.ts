// Generated from the JSON Schemas by schemas/generate.ts. Do not edit.
export const identifierShape = {
  "type": "string",
  "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"
} as const;
export const scopeShape = {
  "description": "A permission on paths (read or write) or on the network.",
  "type": "object",
  "required": [
    "type"
  ],
  "oneOf": [
    {
      "type": "object",
      "required": [
        "type",
        "pattern",
        "access"
      ],
      "additionalProperties": false,
      "properties": {
        "type": {
          "description": "Files and folders.",
          "const": "path"
        },
        "pattern": {
          "description": "Relative to the workspace root. Literals, ?, *, ** (whole segments) and {a,b}. A write grant includes reading the same paths.",
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        },
        "access": {
          "description": "write includes read.",
          "type": "string",
          "enum": [
            "read",
            "write"
          ]
        }
      }
    },
    {
      "type": "object",
      "required": [
        "type",
        "posture"
      ],
      "additionalProperties": false,
      "properties": {
        "type": {
          "description": "The network.",
          "const": "network"
        },
        "posture": {
          "description": "off: no network. allowlist: the listed entries only. full: everything but host loopback, link-local and metadata addresses.",
          "type": "string",
          "enum": [
            "off",
            "allowlist",
            "full"
          ]
        },
        "allowlist_entries": {
          "description": "host:port, *.host:port, or an address range in CIDR notation with an optional :port.",
          "type": "array",
          "items": {
            "type": "string",
            "minLength": 1,
            "maxLength": 300
          },
          "maxItems": 1000
        }
      }
    }
  ]
} as const;
export const taskSpecShape = {
  "description": "A piece of work in a lane. Immutable once created.",
  "type": "object",
  "required": [
    "id",
    "lane_id"
  ],
  "additionalProperties": false,
  "properties": {
    "id": {
      "type": "string",
      "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"
    },
    "lane_id": {
      "type": "string",
      "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"
    },
    "type": {
      "type": "string",
      "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$",
      "description": "One of a loaded pack's task_types."
    },
    "title": {
      "type": "string",
      "maxLength": 500
    },
    "description": {
      "type": "string",
      "maxLength": 20000
    },
    "declared_scopes": {
      "description": "What the task may touch, within its lane. Absent: all that the lane allows.",
      "type": "array",
      "items": {
        "description": "A permission on paths (read or write) or on the network.",
        "type": "object",
        "required": [
          "type"
        ],
        "oneOf": [
          {
            "type": "object",
            "required": [
              "type",
              "pattern",
              "access"
            ],
            "additionalProperties": false,
            "properties": {
              "type": {
                "description": "Files and folders.",
                "const": "path"
              },
              "pattern": {
                "description": "Relative to the workspace root. Literals, ?, *, ** (whole segments) and {a,b}. A write grant includes reading the same paths.",
                "type": "string",
                "minLength": 1,
                "maxLength": 1024
              },
              "access": {
                "description": "write includes read.",
                "type": "string",
                "enum": [
                  "read",
                  "write"
                ]
              }
            }
          },
          {
            "type": "object",
            "required": [
              "type",
              "posture"
            ],
            "additionalProperties": false,
            "properties": {
              "type": {
                "description": "The network.",
                "const": "network"
              },
              "posture": {
                "description": "off: no network. allowlist: the listed entries only. full: everything but host loopback, link-local and metadata addresses.",
                "type": "string",
                "enum": [
                  "off",
                  "allowlist",
                  "full"
                ]
              },
              "allowlist_entries": {
                "description": "host:port, *.host:port, or an address range in CIDR notation with an optional :port.",
                "type": "array",
                "items": {
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 300
                },
                "maxItems": 1000
              }
            }
          }
        ]
      }
    },
    "tool_scopes": {
      "description": "Further scopes for calls of single tools, by their names. Lane, workspace and tool can leave less.",
      "type": "object",
      "propertyNames": {
        "description": "domain:verb, or a bare verb.",
        "type": "string",
        "pattern": "^[a-z][a-z0-9-]*(:[a-z][a-z0-9-]*)?$",
        "maxLength": 64
      },
      "maxProperties": 20,
      "additionalProperties": {
        "type": "array",
        "items": {
          "description": "A permission on paths (read or write) or on the network.",
          "type": "object",
          "required": [
            "type"
          ],
          "oneOf": [
            {
              "type": "object",
              "required": [
                "type",
                "pattern",
                "access"
              ],
              "additionalProperties": false,
              "properties": {
                "type": {
                  "description": "Files and folders.",
                  "const": "path"
                },
                "pattern": {
                  "description": "Relative to the workspace root. Literals, ?, *, ** (whole segments) and {a,b}. A write grant includes reading the same paths.",
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 1024
                },
                "access": {
                  "description": "write includes read.",
                  "type": "string",
                  "enum": [
                    "read",
                    "write"
                  ]
                }
              }
            },
            {
              "type": "object",
              "required": [
                "type",
                "posture"
              ],
              "additionalProperties": false,
              "properties": {
                "type": {
                  "description": "The network.",
                  "const": "network"
                },
                "posture": {
                  "description": "off: no network. allowlist: the listed entries only. full: everything but host loopback, link-local and metadata addresses.",
                  "type": "string",
                  "enum": [
                    "off",
                    "allowlist",
                    "full"
                  ]
                },
                "allowlist_entries": {
                  "description": "host:port, *.host:port, or an address range in CIDR notation with an optional :port.",
                  "type": "array",
                  "items": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 300
                  },
                  "maxItems": 1000
                }
              }
            }
          ]
        }
      }
    },
    "blocked_by": {
      "description": "Tasks that must be done before this one can be claimed.",
      "type": "array",
      "items": {
        "type": "string",
        "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"
      },
      "uniqueItems": true
    },
    "policies": {
      "type": "object"
    },
    "program": {
      "description": "What runs in the task.",
      "type": "object",
      "required": [
        "file",
        "text",
        "inputs",
        "by",
        "surface"
      ],
      "additionalProperties": false,
      "properties": {
        "by": {
          "description": "The identity of the person or program that started it, and of its calls.",
          "type": "string"
        },
        "person": {
          "description": "Who that is, if the person signed in at the issuer.",
          "type": "object",
          "required": [
            "issuer",
            "subject"
          ],
          "additionalProperties": false,
          "properties": {
            "issuer": {
              "description": "The issuer's address, as in `iss`.",
              "type": "string"
            },
            "subject": {
              "description": "The person's id at the issuer, as in `sub`; it never changes.",
              "type": "string"
            },
            "display_name": {
              "description": "For people.",
              "type": "string"
            }
          }
        },
        "surface": {
          "description": "Where it was started. Its calls have this surface, even after it is resumed.",
          "type": "string",
          "enum": [
            "agent",
            "api",
            "cli",
            "http",
            "mcp"
          ]
        },
        "from_session": {
          "description": "The session that started it and reads what it returns: taint of one is taint of the other.",
          "type": "string"
        },
        "file": {
          "description": "For messages.",
          "type": "string",
          "maxLength": 4096
        },
        "text": {
          "description": "YAML or JSON.",
          "type": "string",
          "maxLength": 1048576
        },
        "inputs": {
          "type": "object"
        },
        "limits": {
          "description": "Bounds of one run. A program and a request can only lower them.",
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "steps": {
              "description": "Steps that are begun; default 10,000.",
              "type": "integer",
              "minimum": 1,
              "maximum": 10000
            },
            "tool_calls": {
              "description": "Calls that are made; default 1,000.",
              "type": "integer",
              "minimum": 1,
              "maximum": 1000
            },
            "wall_time_ms": {
              "description": "Without the time between a stop and its resumption; default 3,600,000.",
              "type": "integer",
              "minimum": 1,
              "maximum": 3600000
            },
            "output_bytes": {
              "description": "Of the values of all calls together, as JSON in UTF-8; default 10 MiB.",
              "type": "integer",
              "minimum": 1,
              "maximum": 10485760
            },
            "depth": {
              "description": "Of steps within steps; default 16.",
              "type": "integer",
              "minimum": 1,
              "maximum": 16
            },
            "parallel": {
              "description": "Calls at the same time; default 16.",
              "type": "integer",
              "minimum": 1,
              "maximum": 16
            }
          }
        },
        "approved_as_whole": {
          "description": "A person approves the program before its first call.",
          "const": true
        }
      }
    },
    "metadata": {
      "description": "Data of the pack.",
      "type": "object"
    }
  }
} as const;
export const taskStateShape = {
  "type": "string",
  "enum": [
    "ready",
    "active",
    "blocked",
    "done",
    "cancelled"
  ]
} as const;
export const toolChainShape = {
  "description": "Calls that run one after the other.",
  "type": "object",
  "required": [
    "steps"
  ],
  "additionalProperties": false,
  "properties": {
    "steps": {
      "type": "array",
      "minItems": 1,
      "maxItems": 100,
      "items": {
        "type": "object",
        "required": [
          "tool"
        ],
        "additionalProperties": false,
        "properties": {
          "tool": {
            "description": "Id of the tool, for example `file:read`.",
            "type": "string",
            "maxLength": 256
          },
          "args": {
            "description": "Its input. `{\"$from\": POINTER}` anywhere in it is replaced by an earlier value.",
            "type": "object"
          },
          "as": {
            "description": "Name of its value for later steps; `previous` is reserved.",
            "type": "string",
            "pattern": "^[a-z][a-z0-9_]{0,63}$"
          },
          "when": {
            "description": "Whether a step runs: without `is`, if the value exists and is neither null, false, 0 nor empty. With `is`, if they are equal.",
            "type": "object",
            "required": [
              "value"
            ],
            "additionalProperties": false,
            "properties": {
              "value": {
                "description": "JSON pointer into the earlier values of a chain: `/previous` is the last one, `/NAME` the one that a step names with `as`.",
                "type": "string",
                "pattern": "^(/([^~/]|~[01])*)+$",
                "maxLength": 1024
              },
              "is": true
            }
          },
          "on_error": {
            "description": "Whether the chain continues if the step fails; default stop.",
            "type": "string",
            "enum": [
              "stop",
              "continue"
            ]
          },
          "use_previous": {
            "description": "The previous value, an object, is the input. Keys of `args` replace its keys.",
            "type": "boolean"
          }
        }
      }
    },
    "limits": {
      "description": "Bounds of one chain. A request can only lower them.",
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "steps": {
          "description": "Default 100.",
          "type": "integer",
          "minimum": 1,
          "maximum": 100
        },
        "tool_calls": {
          "description": "Calls that are made; default 100.",
          "type": "integer",
          "minimum": 1,
          "maximum": 100
        },
        "wall_time_ms": {
          "description": "Default 600,000.",
          "type": "integer",
          "minimum": 1,
          "maximum": 600000
        },
        "output_bytes": {
          "description": "Of all values together, as JSON in UTF-8; default 10 MiB.",
          "type": "integer",
          "minimum": 1,
          "maximum": 10485760
        }
      }
    }
  }
} as const;
export const codeRequestShape = {
  "description": "Code that calls tools.",
  "type": "object",
  "required": [
    "language",
    "code"
  ],
  "additionalProperties": false,
  "properties": {
    "language": {
      "description": "TypeScript is not type-checked: its types are removed. Shell is POSIX `sh`.",
      "type": "string",
      "enum": [
        "javascript",
        "typescript",
        "python",
        "shell"
      ]
    },
    "code": {
      "type": "string",
      "maxLength": 1048576
    },
    "allow": {
      "description": "The tools that the code can call, find and read about: names such as `file:read`, namespaces such as `file:*`, or `*`. Default: every tool that the session may call.",
      "type": "array",
      "maxItems": 1000,
      "items": {
        "type": "string",
        "pattern": "^(\\*|[^\\s:*]+:\\*|[^\\s*]+)$",
        "maxLength": 256
      }
    },
    "limits": {
      "description": "Bounds of one run. A request can only lower them.",
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "tool_calls": {
          "description": "Calls of tools that the code makes; default 1,000.",
          "type": "integer",
          "minimum": 0,
          "maximum": 1000
        },
        "wall_time_ms": {
          "description": "Includes the calls that the code makes; default 60,000.",
          "type": "integer",
          "minimum": 1,
          "maximum": 600000
        },
        "output_bytes": {
          "description": "Of the value as JSON, and of each of stdout and stderr, in UTF-8; default 1 MiB.",
          "type": "integer",
          "minimum": 1,
          "maximum": 10485760
        },
        "memory_bytes": {
          "description": "Of the engine in the host's process, at least 16 MiB; default 64 MiB. In a sandbox, the limits of the sandbox apply.",
          "type": "integer",
          "minimum": 16777216,
          "maximum": 268435456
        }
      }
    }
  }
} as const;
export const codeReportShape = {
  "description": "What code did. `value`: what it returned, or passed to `result`; null if nothing. The host writes `calls`, `limits` and `used`, so the code cannot forge them.",
  "type": "object",
  "required": [
    "value",
    "stdout",
    "stderr",
    "calls",
    "limits",
    "used"
  ],
  "additionalProperties": false,
  "properties": {
    "value": true,
    "stdout": {
      "type": "string"
    },
    "stderr": {
      "type": "string"
    },
    "truncated": {
      "description": "stdout or stderr exceeded the limit: the rest is dropped.",
      "const": true
    },
    "calls": {
      "type": "array",
      "items": {
        "description": "One call that the code made, or tried to make.",
        "type": "object",
        "required": [
          "tool_id",
          "status"
        ],
        "additionalProperties": false,
        "properties": {
          "tool_id": {
            "type": "string"
          },
          "status": {
            "description": "running: it had not finished when the code was ended.",
            "type": "string",
            "enum": [
              "succeeded",
              "failed",
              "running"
            ]
          },
          "receipt_id": {
            "description": "The evidence of the call; absent if it never reached the kernel.",
            "type": "string"
          },
          "duration_ms": {
            "type": "number",
            "minimum": 0
          },
          "error": {
            "type": "object",
            "required": [
              "code",
              "message"
            ],
            "additionalProperties": false,
            "properties": {
              "code": {
                "type": "string",
                "pattern": "^[A-Z][A-Z0-9_]{0,63}$"
              },
              "message": {
                "type": "string"
              },
              "details": {
                "type": "object"
              }
            }
          }
        }
      }
    },
    "limits": {
      "description": "Bounds of one run. A request can only lower them.",
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "tool_calls": {
          "description": "Calls of tools that the code makes; default 1,000.",
          "type": "integer",
          "minimum": 0,
          "maximum": 1000
        },
        "wall_time_ms": {
          "description": "Includes the calls that the code makes; default 60,000.",
          "type": "integer",
          "minimum": 1,
          "maximum": 600000
        },
        "output_bytes": {
          "description": "Of the value as JSON, and of each of stdout and stderr, in UTF-8; default 1 MiB.",
          "type": "integer",
          "minimum": 1,
          "maximum": 10485760
        },
        "memory_bytes": {
          "description": "Of the engine in the host's process, at least 16 MiB; default 64 MiB. In a sandbox, the limits of the sandbox apply.",
          "type": "integer",
          "minimum": 16777216,
          "maximum": 268435456
        }
      }
    },
    "used": {
      "description": "How much of its limits the code used.",
      "type": "object",
      "required": [
        "tool_calls",
        "wall_time_ms",
        "output_bytes"
      ],
      "additionalProperties": false,
      "properties": {
        "tool_calls": {
          "type": "integer",
          "minimum": 0
        },
        "wall_time_ms": {
          "type": "number",
          "minimum": 0
        },
        "output_bytes": {
          "description": "Of the value as JSON.",
          "type": "integer",
          "minimum": 0
        }
      }
    }
  }
} as const;
export const callResultShape = {
  "description": "failure: the handler failed. denied: the call did not run, because a layer refused it. invalid: it did not run, because its input is not valid. crashed: the process ended before it had an outcome.",
  "type": "string",
  "enum": [
    "success",
    "failure",
    "denied",
    "invalid",
    "crashed"
  ]
} as const;
