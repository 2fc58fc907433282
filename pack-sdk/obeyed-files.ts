// The files that programs outside the sandbox obey: they run what these say, or let themselves be steered by it. This is
// the one list; each group names the program and where it says so. What a repository's own configuration names
// (`core.hooksPath`, `include.path`) is found by `sandbox/profile`, not listed.

export interface ObeyedFiles {
  /** The program, or what kind of programs. */
  readonly by: string;
  /** A URL of its documentation, or a man page. */
  readonly source: string;
  /** Files and directories, relative to any directory. Compared without case. */
  readonly paths: readonly string[];
}

export const obeyedFiles: readonly ObeyedFiles[] = [
  {
    by: 'git',
    source: 'gitrepository-layout(5), git-config(1), githooks(5), gitmodules(5)',
    paths: [
      '.git/hooks',
      '.git/config',
      '.git/config.worktree',
      '.git/info',
      '.git/commondir',
      '.git/remotes',
      '.git/branches',
      '.gitconfig',
      '.gitmodules',
      '.config/git',
    ],
  },
  {by: 'git rebase', source: 'git-rebase(1), --exec', paths: ['.git/rebase-merge/git-rebase-todo']},
  {by: 'Mercurial', source: 'hgrc(5)', paths: ['.hg/hgrc', '.hgrc']},
  {
    by: 'bash',
    source: 'bash(1), INVOCATION; readline(3)',
    paths: [
      '.bashrc',
      '.bash_profile',
      '.bash_login',
      '.bash_logout',
      '.bash_aliases',
      '.profile',
      '.inputrc',
      '.bash_completion',
    ],
  },
  {
    by: 'zsh',
    source: 'zsh(1), STARTUP/SHUTDOWN FILES',
    paths: ['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout'],
  },
  {by: 'fish', source: 'https://fishshell.com/docs/current/language.html#configuration', paths: ['.config/fish']},
  {by: 'direnv', source: 'direnv(1)', paths: ['.envrc']},
  {
    by: 'mise, asdf',
    source: 'https://mise.jdx.dev/configuration.html',
    paths: [
      '.mise.toml',
      'mise.toml',
      '.mise.local.toml',
      'mise.local.toml',
      '.config/mise',
      '.mise',
      '.tool-versions',
    ],
  },
  {
    by: 'the login and the desktop',
    source: 'systemd.unit(5), https://specifications.freedesktop.org/autostart-spec/, Xsession(5), file-hierarchy(7)',
    paths: [
      '.config/systemd/user',
      '.config/environment.d',
      '.config/autostart',
      '.local/bin',
      '.local/share/applications',
      '.xprofile',
      '.xinitrc',
      '.xsession',
      '.xsessionrc',
      '.pam_environment',
    ],
  },
  {by: 'tmux and screen', source: 'tmux(1), screen(1)', paths: ['.tmux.conf', '.config/tmux', '.screenrc']},
  {
    by: 'Vim and Neovim',
    source: 'https://vimhelp.org/starting.txt.html#%27exrc%27, https://neovim.io/doc/user/starting.html#exrc',
    paths: ['.exrc', '.vimrc', '.gvimrc', '.nvimrc', '.nvim.lua', '.vim', '.config/nvim'],
  },
  {
    by: 'Emacs',
    source: 'https://www.gnu.org/software/emacs/manual/html_node/emacs/Directory-Variables.html',
    paths: ['.dir-locals.el', '.dir-locals-2.el', '.emacs', '.emacs.d', '.config/emacs'],
  },
  {by: 'VS Code', source: 'https://code.visualstudio.com/docs/configure/settings', paths: ['.vscode']},
  {by: 'JetBrains IDEs', source: 'https://www.jetbrains.com/help/idea/project-configuration.html', paths: ['.idea']},
  {by: 'Zed', source: 'https://zed.dev/docs/tasks', paths: ['.zed']},
  {
    by: 'development containers',
    source: 'https://containers.dev/implementors/spec/',
    paths: ['.devcontainer', '.devcontainer.json'],
  },
  {by: 'gdb, lldb', source: 'gdbinit(5), lldb(1)', paths: ['.gdbinit', '.lldbinit']},
  {by: 'ripgrep', source: 'rg(1), CONFIGURATION FILES', paths: ['.ripgreprc']},
  {
    by: 'npm',
    source: 'https://docs.npmjs.com/cli/configuring-npm/npmrc',
    paths: ['.npmrc'],
  },
  {
    by: 'Yarn',
    source: 'https://yarnpkg.com/configuration/yarnrc, https://yarnpkg.com/advanced/pnp-spec',
    paths: ['.yarnrc', '.yarnrc.yml', '.yarn/plugins', '.yarn/releases', '.pnp.cjs', '.pnp.loader.mjs'],
  },
  {by: 'pnpm', source: 'https://pnpm.io/pnpmfile', paths: ['.pnpmfile.cjs', '.pnpmfile.mjs']},
  {by: 'Bun', source: 'https://bun.sh/docs/runtime/bunfig', paths: ['bunfig.toml', '.bunfig.toml']},
  {
    by: 'pip',
    source: 'https://pip.pypa.io/en/stable/topics/configuration/',
    paths: ['pip.conf', '.pip/pip.conf', '.config/pip', '.pydistutils.cfg'],
  },
  {by: 'the Python debugger', source: 'https://docs.python.org/3/library/pdb.html', paths: ['.pdbrc']},
  {
    by: 'Cargo',
    source: 'https://doc.rust-lang.org/cargo/reference/config.html',
    paths: ['.cargo/config.toml', '.cargo/config'],
  },
  {by: 'Maven', source: 'https://maven.apache.org/configure.html', paths: ['.mvn']},
  {by: 'Bazel', source: 'https://bazel.build/run/bazelrc', paths: ['.bazelrc']},
  {by: 'Bundler and irb', source: 'bundle-config(1), irb(1)', paths: ['.bundle/config', '.irbrc', '.pryrc']},
  {
    by: 'R',
    source: 'https://stat.ethz.ch/R-manual/R-devel/library/base/html/Startup.html',
    paths: ['.Rprofile', '.Renviron'],
  },
  {by: 'husky', source: 'https://typicode.github.io/husky/', paths: ['.husky']},
  {
    by: 'pre-commit',
    source: 'https://pre-commit.com/#adding-pre-commit-plugins-to-your-project',
    paths: ['.pre-commit-config.yaml', '.pre-commit-config.yml', 'prek.toml'],
  },
  {
    by: 'lefthook',
    source: 'https://lefthook.dev/configuration/',
    paths: ['lefthook.yml', 'lefthook.yaml', '.lefthook.yml', 'lefthook-local.yml', '.lefthook'],
  },
  {by: 'MCP clients', source: 'https://docs.anthropic.com/en/docs/claude-code/mcp', paths: ['.mcp.json']},
  {
    by: 'Claude Code',
    source: 'https://docs.anthropic.com/en/docs/claude-code/memory',
    paths: ['.claude', 'CLAUDE.md', 'CLAUDE.local.md', '.claude.json'],
  },
  {
    by: 'agents of many makers',
    source: 'https://agents.md',
    paths: ['AGENTS.md', 'AGENT.md', 'AGENTS.override.md', '.agents'],
  },
  {by: 'Codex', source: 'https://github.com/openai/codex/blob/main/docs/config.md', paths: ['.codex']},
  {
    by: 'Gemini CLI',
    source: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/cli/configuration.md',
    paths: ['.gemini', 'GEMINI.md'],
  },
  {by: 'Qwen Code', source: 'https://github.com/QwenLM/qwen-code', paths: ['.qwen', 'QWEN.md']},
  {by: 'Cursor', source: 'https://docs.cursor.com/context/rules', paths: ['.cursor', '.cursorrules']},
  {
    by: 'Windsurf',
    source: 'https://docs.windsurf.com/windsurf/cascade/memories',
    paths: ['.windsurf', '.windsurfrules'],
  },
  {
    by: 'GitHub Copilot',
    source:
      'https://docs.github.com/en/copilot/customizing-copilot/adding-repository-custom-instructions-for-github-copilot',
    paths: [
      '.github/copilot-instructions.md',
      '.github/instructions',
      '.github/prompts',
      '.github/chatmodes',
      '.github/agents',
    ],
  },
  {by: 'Cline', source: 'https://docs.cline.bot/features/cline-rules', paths: ['.clinerules']},
  {
    by: 'Roo Code',
    source: 'https://docs.roocode.com/features/custom-instructions',
    paths: ['.roo', '.roorules', '.roomodes'],
  },
  {by: 'Kiro', source: 'https://kiro.dev/docs/steering/', paths: ['.kiro']},
  {by: 'opencode', source: 'https://opencode.ai/docs/config/', paths: ['.opencode', 'opencode.json', 'opencode.jsonc']},
  {
    by: 'Continue',
    source: 'https://docs.continue.dev/reference',
    paths: ['.continue', '.continuerc.json', '.continuerules'],
  },
  {by: 'aider', source: 'https://aider.chat/docs/config/aider_conf.html', paths: ['.aider.conf.yml']},
  {by: 'Junie', source: 'https://www.jetbrains.com/help/junie/customize-guidelines.html', paths: ['.junie']},
  {
    by: 'Augment',
    source: 'https://docs.augmentcode.com/setup-augment/guidelines',
    paths: ['.augment', '.augment-guidelines'],
  },
  {
    by: 'Amazon Q',
    source: 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/context-project-rules.html',
    paths: ['.amazonq'],
  },
  {by: 'goose', source: 'https://block.github.io/goose/docs/guides/using-goosehints', paths: ['.goosehints', '.goose']},
  {
    by: 'Crush',
    source: 'https://github.com/charmbracelet/crush',
    paths: ['.crush', 'crush.json', '.crush.json', 'CRUSH.md'],
  },
  {
    by: 'GitHub Actions',
    source: 'https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax',
    paths: ['.github/workflows', '.github/actions', '.github/dependabot.yml'],
  },
  {
    by: 'Forgejo Actions',
    source: 'https://forgejo.org/docs/latest/user/actions/',
    paths: ['.forgejo/workflows', '.forgejo/actions'],
  },
  {
    by: 'Gitea Actions',
    source: 'https://docs.gitea.com/usage/actions/overview',
    paths: ['.gitea/workflows', '.gitea/actions'],
  },
  {
    by: 'GitLab CI',
    source: 'https://docs.gitlab.com/ci/yaml/',
    paths: ['.gitlab-ci.yml', '.gitlab/ci', '.gitlab/agents'],
  },
  {by: 'CircleCI', source: 'https://circleci.com/docs/configuration-reference/', paths: ['.circleci']},
  {by: 'Buildkite', source: 'https://buildkite.com/docs/pipelines/configure', paths: ['.buildkite']},
  {by: 'Travis CI', source: 'https://docs.travis-ci.com/user/customizing-the-build/', paths: ['.travis.yml']},
  {
    by: 'Drone',
    source: 'https://docs.drone.io/pipeline/overview/',
    paths: ['.drone.yml', '.drone.yaml', '.drone.star', '.drone.jsonnet'],
  },
  {
    by: 'Woodpecker',
    source: 'https://woodpecker-ci.org/docs/usage/intro',
    paths: ['.woodpecker', '.woodpecker.yml', '.woodpecker.yaml'],
  },
  {
    by: 'Azure Pipelines',
    source: 'https://learn.microsoft.com/en-us/azure/devops/pipelines/yaml-schema/',
    paths: ['azure-pipelines.yml', 'azure-pipelines.yaml', '.azure-pipelines', '.azuredevops'],
  },
  {
    by: 'Bitbucket Pipelines',
    source: 'https://support.atlassian.com/bitbucket-cloud/docs/bitbucket-pipelines-configuration-reference/',
    paths: ['bitbucket-pipelines.yml'],
  },
  {by: 'Jenkins', source: 'https://www.jenkins.io/doc/book/pipeline/jenkinsfile/', paths: ['Jenkinsfile']},
  {by: 'TeamCity', source: 'https://www.jetbrains.com/help/teamcity/kotlin-dsl.html', paths: ['.teamcity']},
  {by: 'AppVeyor', source: 'https://www.appveyor.com/docs/appveyor-yml/', paths: ['appveyor.yml', '.appveyor.yml']},
  {by: 'Cirrus CI', source: 'https://cirrus-ci.org/guide/writing-tasks/', paths: ['.cirrus.yml', '.cirrus.star']},
  {by: 'Semaphore', source: 'https://docs.semaphoreci.com/reference/pipeline-yaml', paths: ['.semaphore']},
  {by: 'SourceHut builds', source: 'https://man.sr.ht/builds.sr.ht/manifest.md', paths: ['.build.yml', '.builds']},
  {by: 'Tekton', source: 'https://pipelinesascode.com/docs/guide/authoringprs/', paths: ['.tekton']},
  {
    by: 'Cloud Build, CodeBuild',
    source:
      'https://cloud.google.com/build/docs/build-config-file-schema, https://docs.aws.amazon.com/codebuild/latest/userguide/build-spec-ref.html',
    paths: ['cloudbuild.yaml', 'cloudbuild.yml', 'buildspec.yml', 'buildspec.yaml'],
  },
  {by: 'Gitpod', source: 'https://www.gitpod.io/docs/classic/user/references/gitpod-yml', paths: ['.gitpod.yml']},
  {by: 'LumenFlow', source: 'docs/reference/workspace.md', paths: ['workspace.yaml', 'packs.lock']},
];
