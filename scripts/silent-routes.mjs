/** What the routes say of themselves is for the description that the server serves; browsers do without. */
export const silentRoutes = {
  name: 'silent-routes',
  enforce: 'pre',
  transform: (code, id) =>
    /src\/protocol\/(?:.*\/)?[\w-]*routes?\.ts$/.test(id)
      ? code.replaceAll(/^ +summary:\s+'[^'\n]*',$/gm, '')
      : undefined,
}
