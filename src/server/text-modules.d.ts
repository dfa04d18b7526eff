/** Files the bundler and the test runner hand over as text. */
declare module '*.bash' {
  const text: string
  export default text
}
declare module '*.zsh' {
  const text: string
  export default text
}
declare module '*.fish' {
  const text: string
  export default text
}
declare module '*.md' {
  const text: string
  export default text
}
/** Put in by the build, from package.json. */
declare const TANDEM_VERSION: string
