import { shownText } from './shown-text.ts'

/** A file name of ASCII characters: letters lose their accents, others become `_`. */
export const asciiFileName = (name: string): string =>
  shownText(name)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_')

/** A file name that every system takes, with its letters: `-` for characters that some of them refuse. */
export const plainFileName = (name: string): string =>
  shownText(name)
    .normalize('NFC')
    .replace(/[\\/:*?"<>|]/g, '-')
