import { isSecretPath } from '../secrets.ts'

/** Folders that steer git, Tandem, editors, other agents and the machines that build: what is written there may run or loosen something. */
const folders = new Set(
  '.git .tandem .agents .claude .codex .gemini .cursor .windsurf .continue .vscode .idea .zed .fleet .husky .githooks .lefthook .devcontainer .config .github .gitlab .circleci .buildkite .direnv .cargo .yarn .mvn .bundle node_modules .venv venv site-packages'.split(
    ' ',
  ),
)

/** Files that do the same, by how their names begin. */
const beginnings =
  /^\.(?:bash|zsh|profile|login|envrc|direnvrc|gitconfig|gitmodules|gitattributes|npmrc|yarnrc|pnpmfile|inputrc|tool-versions|mise|bazelrc|condarc|gemrc|curlrc|wgetrc|pypirc|exrc|vimrc|nvimrc|dir-locals|pre-commit|gitlab-ci|travis|drone|cursorrules|windsurfrules|clinerules|mcp\.json|aider|huskyrc|lintstagedrc)/

const files = new Set(
  'agents.md agents.override.md claude.md claude.local.md gemini.md codex.md copilot-instructions.md lefthook.yml lefthook.yaml jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml appveyor.yml bunfig.toml pip.conf tandem.json'.split(
    ' ',
  ),
)

/** Says whether a path within a workspace steers other programs, or is a secret by its name. */
export function isProtected(path: string): boolean {
  const parts = path.toLowerCase().split('/')
  return (
    // A name that begins with a dash is an option to whatever meets it.
    parts.some(
      (part) =>
        folders.has(part) || files.has(part) || beginnings.test(part) || part.startsWith('-'),
    ) || isSecretPath(path)
  )
}
