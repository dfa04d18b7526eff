/** Programs that are often asked for their version, and do nothing else then: `gh` and `az` look for a newer one. */
const versioned: ReadonlySet<string> = new Set(
  'node npm npx yarn pnpm bun deno tsc python python2 python3 pip pip3 uv poetry ruby gem bundle perl php composer go cargo rustc rustup java javac mvn gradle kotlin scala dotnet gcc g++ clang clang++ cc make cmake ninja meson git docker docker-compose podman kubectl helm ansible aws gcloud psql mysql sqlite3 redis-cli nginx curl wget ssh jq yq rg grep sed awk gawk find fd bash zsh fish sh tmux vim nvim emacs code ffmpeg convert magick openssl rsync tar zip unzip gzip xz zstd pytest ruff black mypy flake8 eslint prettier vitest jest vite webpack playwright tandem swift swiftc ghc stack cabal elixir mix lua luajit julia R zig nim ocaml opam dart flutter protoc buf hugo pandoc latexmk shellcheck shfmt actionlint pre-commit just task ld ldd lldb gdb gfortran tsx esbuild rollup turbo nx lerna biome oxlint stylelint rubocop rspec rails rake pipenv conda hatch pdm tox nox isort pylint pyright rustfmt golangci-lint ktlint sbt scalac groovy ant clojure lein mongosh minikube kind kustomize vault consul packer vagrant ansible-playbook http htop bat eza fzf delta hub glab svn hg bazel ctest ccache autoconf automake bison flex nasm valgrind strace doxygen sort ls cat uniq head tail less man diff patch file tree xargs bc time nano mvnd corepack fnm volta ip ss lsof systemctl'.split(
    ' ',
  ),
)

/** Programs that first read what the folder declares, and may load or fetch another version of themselves. */
export const declaredVersions: ReadonlySet<string> = new Set(
  'yarn pnpm bundle composer poetry go cargo rustc rustup mvn gradle kotlin scala mix flutter pytest flake8 eslint prettier vitest jest vite webpack playwright pre-commit turbo nx lerna biome stylelint rubocop rspec rails rake tox nox isort pylint pyright golangci-lint sbt lein bazel corepack latexmk'.split(
    ' ',
  ),
)

/** The other spellings that some of them know. */
const spellings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '-v': 'node npm yarn pnpm bun tsc ruby bundle gem mvn gradle php perl lua nginx gcc g++ clang',
    '-V': 'python python2 python3 pip pip3 ssh cargo rustc tmux composer psql mysql deno curl wget awk gawk grep rsync redis-cli openssl',
    '-vV': 'rustc',
    '-VV': 'python python3',
    '-version': 'java javac ant',
    version: 'go deno zig cargo openssl docker-compose hugo',
  }),
)

/** Whether a call only asks for the version. */
export function asksVersion(name: string, words: readonly (string | null)[]): boolean {
  const [word, ...more] = words
  if (more.length > 0 || !versioned.has(name)) return false
  if (word == null) return false
  return word === '--version' || spellings.get(word)?.split(' ').includes(name) === true
}
