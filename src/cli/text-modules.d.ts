/** Put in by the build, from package.json. */
declare const TANDEM_VERSION: string
