/** For whoever opens the address: what answers here and how to talk to it. */
export function welcome({ version, port }: { version: string; port: () => number }): string {
  const base = `http://127.0.0.1:${port()}`
  return `Tandem ${version}: one shell, two drivers.

This is the server of a terminal co-pilot, for this computer only. Its routes are described in
${base}/openapi.json and need the token of the data folder:

  token=$(cat "\${TANDEM_HOME:-\${XDG_DATA_HOME:-$HOME/.local/share}/tandem}/token")
  curl -H "Authorization: Bearer $token" ${base}/v1/sessions
  curl -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \\
    -d '{"workspace":"'"$PWD"'"}' ${base}/v1/sessions
  curl -N -H "Authorization: Bearer $token" ${base}/v1/sessions/ID/events
`
}
