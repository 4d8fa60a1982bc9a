/*
 * Text that other people wrote, made fit to be shown: on pages, in mails, on sheets, at a terminal. It comes from
 * certificates, PDF files and forms, and may try to look like our own words.
 *
 * See Unicode Technical Report 36, 2 (visual security) and Standard Annex 9, 2 (bidirectional controls).
 */

/** The limit of a name or title. Authorities issue names of at most some 200 letters. */
const LONGEST_SHOWN = 300

/**
 * One line of at most `max` UTF-16 units, without characters that cannot be seen, change the direction of the text
 * or control a terminal. Longer text ends in `…`; text that has nothing to show gives `''`.
 */
export function shownText(text: string, max = LONGEST_SHOWN): string {
  const line = visible(text).replace(/\s+/gu, ' ').trim()
  if (line.length <= max) return line
  return `${line
    .slice(0, max - 1)
    .replace(/\p{Cs}$/u, '')
    .trimEnd()}…`
}

/** The same for text of several lines; it keeps blank lines and has no limit. */
export const shownLines = (text: string): string =>
  text
    .split(/\r\n|[\r\n\u2028\u2029]/u)
    .map((line) => visible(line).trimEnd())
    .join('\n')

/**
 * Text from a file or certificate, for facts that are quoted later: as `shownText`, and nothing in it looks like
 * the quotation marks of our quotations.
 */
export const foreignText = (text: string, max = LONGEST_SHOWN): string =>
  shownText(withoutOurMarks(visible(text)), max)

/**
 * The name of a field of a file: as `foreignText`, with `·` for what was taken out, so that two names that differ
 * do not become the name of one field. Empty for an empty name.
 */
export const fieldLabel = (name: string, max = LONGEST_FIELD): string =>
  foreignText(name.replace(CONTROLS, '·').replace(UNSEEN, '·'), max)

const LONGEST_FIELD = 2000

/** JSON of a value, with escapes for what cannot be seen or controls a terminal. Programs read the same value. */
export const visibleJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(UNSEEN_IN_JSON, (unseen) =>
    Array.from({ length: unseen.length }, (_, unit) => escaped(unseen.charCodeAt(unit))).join(''),
  )

const escaped = (unit: number) => `\\u${unit.toString(16).padStart(4, '0')}`

/** Our quotations are “…”, and Spanish puts ‘…’ inside them. The straight mark, twice the single one and all that resemble them look alike. */
const withoutOurMarks = (text: string) =>
  text
    .replace(/[“„‟〝❝🙶«≪《⟪⪻⦅「『【〈⟨❰❬❮‹﴾]|<{2,}|[‘‚‛‵❛`]{2,}|,{2,}/gu, '‘')
    .replace(/[”″‴⁗〞〟❞🙷🙸＂"˝ʺˮ״»≫》⟫⪼⦆」』】〉⟩❱❭❯›﴿]|>{2,}|['’′ʹʼˈ❜´]{2,}/gu, '’')

/** What takes no space, or only blank space, in some program; the others are drawn. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu
/** JSON escapes C0 controls itself; its own line ends are not part of a text. */
const UNSEEN_IN_JSON =
  /[\u007f-\u009f\u2028\u2029\u2800\p{Cf}\p{Default_Ignorable_Code_Point}\p{Co}\p{Cn}]/gu
/** Private, unassigned and half characters: programs draw boxes, nothing, or anything. */
const UNKNOWN = /[\p{Co}\p{Cn}\p{Cs}]/gu
/** Line ends and controls separate words. C1 controls begin escape sequences too. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu
/** No writing puts more marks on one letter; more cover the lines above and below. */
const MARKS_TOO_MANY = /(\p{M}{3})\p{M}+/gu
/** Marks without a letter are drawn over what stands before the text. */
const MARKS_ALONE = /(^|\s)\p{M}+/gu

/** In which nothing is to be replaced, as in most texts: ASCII and the letters of Spanish, each one code point. */
const PRINTABLE = /^[ -~¡¿ÁÉÍÓÚÜÑáéíóúüñ]*$/

const visible = (text: string) =>
  PRINTABLE.test(text)
    ? text
    : text
        .replace(CONTROLS, ' ')
        .replace(UNSEEN, '')
        .replace(UNKNOWN, '\ufffd')
        .normalize('NFC')
        .replace(MARKS_TOO_MANY, '$1')
        .replace(MARKS_ALONE, '$1')
