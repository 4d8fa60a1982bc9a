/** What the action of the upload page answers. */
export type UploadAnswer = {
  errors?: Record<string, string[] | undefined>
  values?: Record<string, string>
  uploadResult?: UploadResult
  /** Documents that the office has with the content of files that were therefore not stored. */
  known?: KnownDocument[]
}

export type KnownDocument = { id: string; folio: string; title: string }

export type StoredFile = {
  id: string
  folio: string
  title: string
  state: string
  /** Whether the title lacks a part of what was typed or of the file name. */
  isShortened?: boolean
}

export type UploadResult = {
  stored: StoredFile[]
  /** `place` counts from 0 among the refused files: names may repeat. */
  refused: { place: number; name: string; sentence: string }[]
  isCutShort: boolean
}
