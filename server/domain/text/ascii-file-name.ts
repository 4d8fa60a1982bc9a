import { shownText } from './shown-text.ts'

/** A file name of ASCII characters that every system takes: letters lose their accents, other characters become `_`. */
export const asciiFileName = (name: string): string =>
  shownText(name)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%/:*?<>|]/g, '_')
