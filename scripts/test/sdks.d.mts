/** The folder with the SDKs. Throws a sentence for a person if they cannot be had. */
export function installSdks(options?: { say?: (line: string) => void }): string
