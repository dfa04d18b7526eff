/** Lower-case words joined by single hyphens, as the Agent Skills convention has it. */
export const skillNamePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/**
 * Caps for skills and command files. Apart from the other limits, and without schemas: the `skill`
 * program has to start fast.
 */
export const skillLimits = {
  nameChars: 64,
  descriptionChars: 1_024,
  /** Entries of one folder of skills that are looked at; nobody has as many skills. */
  folderEntries: 500,
  /** All of them are told to the model in one record. */
  skills: 200,
  /** The largest SKILL.md that is read; the convention asks for less than 5,000 tokens. */
  fileBytes: 256 * 1024,
  /** The lines between the two `---`. */
  frontmatterChars: 16_000,
  /**
   * The text that activation brings into the conversation: the 5,000 tokens of the convention, in
   * letters.
   */
  bodyChars: 20_000,
  /** Other files of a skill that are named on activation. */
  listedFiles: 50,
  /** The room for all names and descriptions in the first record. */
  textChars: 16_000,
  /** One description in that record, when all of them together are too long. */
  shortDescriptionChars: 160,

  /** The size of an archive: far more than text and scripts need, and little for a disk. */
  archiveBytes: 20 * 1024 * 1024,
  unpackedBytes: 20 * 1024 * 1024,
  unpackedFileBytes: 5 * 1024 * 1024,
  unpackedFiles: 2_000,
  /** Text shrinks to a tenth, seldom to a fiftieth; what shrinks more was made to. */
  unpackedRatio: 200,
  /** Below this a good ratio does no harm. */
  ratioCountsFromBytes: 1024 * 1024,
  pathChars: 400,

  commandFiles: 200,
  commandFileBytes: 100_000,
  /** Folders in folders of command files. */
  commandFolderDepth: 5,
} as const
