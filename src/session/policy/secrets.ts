/** A value that is written out: not a variable’s name, a placeholder or another flag. */
const value = String.raw`(?!["']?[$<{(\[]|-)["']?[^\s"']`

/** Words that name something nobody else should read. */
const name = String.raw`(?:password|passwd|passphrase|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credentials?)`

/** Each finds a secret by its own shape, or by what stands before it. All are linear in the text. */
const shapes: readonly RegExp[] = [
  // AWS, GitHub, GitLab, OpenAI and Anthropic, Stripe, Slack, Google, npm
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bgh[opsur]_[A-Za-z0-9]{20}/,
  /\bgithub_pat_[A-Za-z0-9_]{20}/,
  /\bglpat-[A-Za-z0-9_-]{20}/,
  /\bsk-[A-Za-z0-9_-]{16}/,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16}/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10}/,
  /hooks\.slack\.com\/services\/\w/,
  /\bAIza[0-9A-Za-z_-]{30}/,
  /\bnpm_[A-Za-z0-9]{30}/,
  // a signed token, a key file
  /\beyJ[A-Za-z0-9_-]{8,200}\.eyJ[A-Za-z0-9_-]{8}/,
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/,
  // what goes into a request
  new RegExp(String.raw`\bauthorization["']?\s{0,9}[:=]\s{0,9}(?:\w{1,20}\s{1,9})?${value}`, 'i'),
  new RegExp(String.raw`\bbearer\s{1,9}(?=\S{8})${value}`, 'i'),
  /:\/\/[^\s/:@]{1,200}:[^\s/@$]{1,200}@/,
  /\s(?:-u|--user)[= ]\s{0,9}["']?[^\s:$"']{1,200}:[^\s$"']/,
  // what is named as one
  new RegExp(String.raw`${name}["']?\s{0,9}=\s{0,9}${value}`, 'i'),
  new RegExp(String.raw`(?:password|passwd|passphrase)["']?\s{0,9}:\s{0,9}${value}`, 'i'),
  new RegExp(String.raw`--(?:[a-z]{1,20}-)?${name}(?:=|\s{1,9})${value}`, 'i'),
  new RegExp(
    String.raw`\b(?:sshpass\s{1,9}-p\s{0,9}|mysql(?:dump|admin)?\s(?:.{0,200}\s)?-p)${value}`,
  ),
  /\bpass:[^\s$]/,
]

const assigned =
  /\b\w{0,100}(?:KEY|TOKEN|SECRET|PASS)\w{0,20}\s?=\s?["']?([A-Za-z0-9+/=_.-]{16,400})/gi

/**
 * Whether a line likely holds a password, a key or a token. Plain rules, no certainty: what they miss
 * is kept like any other line, and what they find in vain is only not offered again.
 */
export function hasSecret(text: string): boolean {
  if (shapes.some((shape) => shape.test(text))) return true
  return [...text.matchAll(assigned)].some(([, found = '']) => bitsPerChar(found) >= 3)
}

/** The place where a secret begins; `isRest`: it has no end that could be told. */
export interface SecretPlace {
  from: number
  isRest: boolean
}

/** The places of all secrets in a text, behind what names each. */
export function secretsIn(text: string): readonly SecretPlace[] {
  const shaped = shapes.flatMap((shape) =>
    [...text.matchAll(new RegExp(shape.source, `${shape.flags}g`))].map(({ 0: found, index }) => {
      if (found.startsWith('-----BEGIN')) return { from: index, isRest: true }
      // A password in an address may have colons of its own.
      if (found.startsWith('://')) return { from: index + found.indexOf(':', 3) + 1, isRest: false }
      // A value stands behind the last sign that can come before one; a token of its own shape has none.
      const [named = ''] = /^.*[\s=:]["']?(?=.)/s.exec(found) ?? []
      return { from: index + named.length, isRest: false }
    }),
  )
  const valued = [...text.matchAll(assigned)]
    .filter(([, found = '']) => bitsPerChar(found) >= 3)
    .map(({ 0: all, 1: found = '', index }) => ({
      from: index + all.length - found.length,
      isRest: false,
    }))
  return [...shaped, ...valued]
}

/** Shannon’s measure: words and paths repeat letters, keys do not. */
function bitsPerChar(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/** Files that hold keys, passwords or what was typed, by their name in small letters. */
const secretNames: readonly RegExp[] = [
  /^\.env|\.env$/,
  /^\.(flaskenv|dev\.vars)$/,
  /\.(pem|key|p12|pfx|p8|jks|keystore|kdbx?|ppk|tfstate|tfvars|ovpn|keytab|kubeconfig|agekey)$/,
  // Public halves end in .pub, and a program’s source has an ending, too.
  /^id_\w+$|^ssh_host_\w+_key$|^adbkey$/,
  /^(secring|private|secret)[\w-]*\.(asc|gpg)$/,
  /^[._]netrc$/,
  /^\.(npmrc|yarnrc\.yml|pypirc|pgpass|my\.cnf|mylogin\.cnf|boto|s3cfg|dockercfg|htpasswd|vault-token|git-credentials)$/,
  /^\.(curlrc|wgetrc|authinfo|msmtprc|fetchmailrc|rhosts|terraformrc|databrickscfg|smbcredentials|offlineimaprc|mbsyncrc|passwd-s3fs|python-gitlab\.cfg|xauthority|iceauthority|claude\.json)$/,
  /^\.?(vault[-_]?pass(word)?|credentials|secrets?)(\.txt)?$/,
  /^(\.credentials|auth|oauth_creds|token|kaggle|local\.settings|jupyter_server_config)\.json$/,
  /^(credentials|secrets?)(\.(json|toml|ya?ml|ini|xml|db|csv|conf|cfg|properties))?$/,
  /^(passwords?|tokens?|api[-_]?keys?)\.txt$|^token$/,
  /^(client_secret|service[-_]account).*\.json$|firebase-adminsdk.*\.json$/,
  /^(gcp|gcloud|google|aws|azure|sa)[-_](key|creds?|credentials)\.json$/,
  /^g?shadow-?$|^opasswd$/,
  /^sudoers$/,
  /^\.gitconfig$/,
  /^rclone\.conf$|^kubeconfig$|^wallet\.dat$/,
  /^(logins|key4|cookies)\.(json|db|sqlite)$/,
  /_history$|^\.(z?history|histfile|lesshst|viminfo)$/,
]

/** An example is made to be shown. */
const example = /\.(example|sample|template|dist|defaults?|schema)$/
/** A copy is as secret as what it is one of. */
const copied = /(?:~|\.(?:bak|old|orig|save|swp|backup|copy|tmp|\d+))+$/

/** Folders whose whole content is secret, by the end of their path. */
const secretFolders: readonly string[] = [
  '.ssh',
  '.aws',
  '.azure',
  '.gnupg',
  '.kube',
  '.docker',
  '.password-store',
  '.terraform.d',
  '.mozilla',
  '.tandem',
  '.config/rclone',
  '.config/op',
  '.config/google-chrome',
  '.config/chromium',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.git/config',
  '.config/gh',
  '.config/gcloud',
  '.config/tandem',
  '.local/share/tandem',
  '.local/share/keyrings',
  ...'.config/hub .config/doctl .config/hcloud .config/stripe .config/github-copilot .config/solana'.split(
    ' ',
  ),
  ...'.config/filezilla .config/configstore .config/signal .config/bravesoftware .config/microsoft-edge'.split(
    ' ',
  ),
  ...'.oci .fly .huggingface .cache/huggingface/token .gradle/gradle.properties .nuget/nuget .bundle/config'.split(
    ' ',
  ),
  ...'.m2/settings-security.xml .netlify/config.json .travis/config.yml .circleci/cli.yml .subversion/auth'.split(
    ' ',
  ),
  ...'.1password .lastpass .bitcoin .ethereum .electrum .pki .thunderbird .snowsql .vnc .heroku .vault'.split(
    ' ',
  ),
  ...'etc/ssl/private etc/wireguard etc/sudoers.d etc/kubernetes etc/networkmanager/system-connections'.split(
    ' ',
  ),
  ...'.config/glab-cli .config/netlify .config/ngrok .ngrok2 .config/linode-cli .config/msmtp .config/.wrangler'.split(
    ' ',
  ),
  ...'.wrangler/config .supabase .railway .pulumi/credentials.json .snowflake .dbt/profiles.yml .config/anthropic'.split(
    ' ',
  ),
  ...'etc/ppp/chap-secrets etc/ppp/pap-secrets etc/wpa_supplicant etc/mysql/debian.cnf etc/samba/smbpasswd etc/openvpn'.split(
    ' ',
  ),
  'run/secrets',
  'Library/Keychains',
]

/** Whether what is at a path, or in it, is a secret by its name. Judge the path with links followed too. */
export function isSecretPath(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '')
  const name = parts.at(-1)?.toLowerCase() ?? ''
  const kept = name.replace(copied, '')
  if (!example.test(name) && secretNames.some((each) => each.test(name) || each.test(kept)))
    return true
  return isInSecretFolder(path)
}

/** Whether a path is in a folder whose whole content is secret, or is that folder. */
export function isInSecretFolder(path: string): boolean {
  const joined = `${path.toLowerCase()}/`.replaceAll(/\/+/g, '/')
  return secretFolders.some((folder) => `/${joined}`.includes(`/${folder.toLowerCase()}/`))
}
