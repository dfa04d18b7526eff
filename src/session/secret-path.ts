/** Files that hold keys, passwords or what was typed, by their name. */
const secretNames: readonly RegExp[] = [
  /^\.env(rc|\..+)?$/,
  /\.env$/,
  /\.(pem|key|p12|pfx|p8|jks|keystore|kdbx|ppk|tfstate|tfvars)$/,
  // Public halves end in .pub, and a program’s source has an ending, too.
  /^id_\w+$/,
  /^[._]netrc$/,
  /^\.(npmrc|yarnrc\.yml|pypirc|pgpass|my\.cnf|boto|s3cfg|dockercfg|htpasswd|vault-token|git-credentials)$/,
  /^(credentials|secrets?)(\.(json|toml|ya?ml|ini|xml|db))?$/,
  /^(client_secret|service[-_]account).*\.json$/,
  /^g?shadow-?$/,
  /_history$|^\.(history|histfile|lesshst)$/,
]

/** An example is made to be shown. */
const example = /\.(example|sample|template|dist|defaults?|schema)$/

/** All that is in them is secret, by the end of their path. */
const secretFolders: readonly string[] = [
  '.ssh',
  '.aws',
  '.azure',
  '.gnupg',
  '.kube',
  '.docker',
  '.password-store',
  '.config/gh',
  '.config/gcloud',
  '.config/tandem',
  '.local/share/tandem',
  '.local/share/keyrings',
  'Library/Keychains',
]

/** Whether what is at a path, or in it, is a secret by its name. Judge the path with links followed too. */
export function isSecretPath(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '')
  const name = parts.at(-1)?.toLowerCase() ?? ''
  if (!example.test(name) && secretNames.some((secret) => secret.test(name))) return true
  const joined = `/${parts.join('/')}/`.toLowerCase()
  return secretFolders.some((folder) => joined.includes(`/${folder.toLowerCase()}/`))
}
