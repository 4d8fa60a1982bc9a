import { concatBytes } from '#server/domain/bytes.ts'
import { bytesOf, textOf } from '#tests/support/pdf/pdf-builders.ts'
import { type Attack, type Family, INVALID, MODIFIED, NOT_GOOD } from './attack.ts'
import { type Deed, edited, FREE, textStream } from './deed.ts'
import { appendRevision, startOf } from './revision.ts'
import { deedOf, inEverySetting, onBytes, SETTINGS } from './settings.ts'

/*
 * A revision after the signed one, as complete or incomplete as some reader accepts it. See Mladenov, Mainka et
 * al.: 1 Trillion Dollar Refund: How To Spoof PDF Signatures (CCS 2019), 4.2.
 */

const CONTENT = textStream('Otra cosa')
const OBJECT = `11 0 obj\n${CONTENT}\nendobj\n`

const whole = [
  ...inEverySetting('a new content', () => ({ 11: CONTENT }), MODIFIED),
  ...inEverySetting(
    'a new page in an old place',
    (deed) => edited(deed, 12, '13 0 R', '11 0 R'),
    MODIFIED,
  ),
  ...inEverySetting(
    'a content in two parts',
    (deed) => ({ ...edited(deed, 10, '11 0 R', `[11 0 R ${FREE} 0 R]`), [FREE]: CONTENT }),
    MODIFIED,
  ),
  ...inEverySetting(
    'a page of another size',
    (deed) => edited(deed, 10, '[0 0 300 300]', '[0 0 300 100]'),
    MODIFIED,
  ),
  ...inEverySetting(
    'a page turned round',
    (deed) => edited(deed, 10, '/Parent', '/Rotate 180/Parent'),
    MODIFIED,
  ),
  ...inEverySetting(
    'a page cropped',
    (deed) => edited(deed, 10, '/Parent', '/CropBox[0 0 10 10]/Parent'),
    MODIFIED,
  ),
  ...inEverySetting(
    'another unit',
    (deed) => edited(deed, 10, '/Parent', '/UserUnit 2/Parent'),
    MODIFIED,
  ),
  ...inEverySetting('another image', (deed) => edited(deed, 18, '\x7f', '\x00'), MODIFIED),
  ...inEverySetting(
    'the image masked',
    (deed) => edited(deed, 18, '/Type', '/SMask 22 0 R/Type'),
    MODIFIED,
  ),
  ...inEverySetting('another figure', (deed) => edited(deed, 22, '0 0 9 9', '0 0 8 8'), MODIFIED),
  ...inEverySetting(
    'a figure by another name',
    (deed) => edited(deed, 12, '/Fm 22 0 R', '/Fm 18 0 R'),
    MODIFIED,
  ),
  ...inEverySetting(
    'a script on opening',
    (deed) => edited(deed, 1, '/Pages', '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>/Pages'),
    MODIFIED,
  ),
  ...inEverySetting(
    'a script before printing',
    (deed) => edited(deed, 1, '/Pages', '/AA<</WP<</S/JavaScript/JS(1)>>>>/Pages'),
    MODIFIED,
  ),
  ...inEverySetting(
    'a script of the document',
    (deed) => edited(deed, 26, '<</Emb', '<</JavaScript<</Names[(a)<</S/JavaScript/JS(1)>>]>>/Emb'),
    MODIFIED,
  ),
  ...inEverySetting('another attachment', (deed) => edited(deed, 29, 'anexo', 'otros'), MODIFIED),
  ...inEverySetting(
    'another name of an attachment',
    (deed) => edited(deed, 27, '/F(anexo.txt)', '/F(otro.exe)'),
    MODIFIED,
  ),
  ...inEverySetting(
    'another title',
    (deed) => edited(deed, 4, '(Escritura \\(una\\))', '(Testamento)'),
    MODIFIED,
  ),
  ...inEverySetting(
    'another first page by labels',
    (deed) => edited(deed, 1, '/Pages', '/PageLabels<</Nums[0<</P(99)>>]>>/Pages'),
    MODIFIED,
  ),
  ...inEverySetting(
    'another link',
    (deed) => edited(deed, 19, 'rubrica.example', 'otro.example'),
    MODIFIED,
  ),
  ...inEverySetting(
    'a structure that says something else',
    (deed) =>
      edited(
        deed,
        1,
        '/Pages',
        '/StructTreeRoot<</Type/StructTreeRoot/K<</S/P/ActualText(otra cosa)>>>>/Pages',
      ),
    MODIFIED,
  ),
  ...inEverySetting(
    'a portfolio in place of pages',
    (deed) => edited(deed, 1, '/Pages', '/Collection<</View/D>>/Pages'),
    MODIFIED,
  ),
  ...inEverySetting(
    'an XFA form',
    (deed) => ({
      ...edited(deed, 8, '/SigFlags', `/XFA ${FREE} 0 R/SigFlags`),
      [FREE]: textStream('xdp'),
    }),
    MODIFIED,
  ),
]

/** Objects after the end of the file, with fewer and fewer parts of a revision. */
const tails: [string, (deed: Deed) => string][] = [
  ['an object and nothing else', () => OBJECT],
  ['an object and an end', () => `${OBJECT}%%EOF\n`],
  [
    'an object and the old cross-reference',
    ({ file }) => `${OBJECT}startxref\n${startOf(file)}\n%%EOF\n`,
  ],
  [
    'a trailer without a table',
    ({ file }) =>
      `${OBJECT}trailer\n<</Size 99/Root 1 0 R/Prev ${startOf(file)}>>\nstartxref\n0\n%%EOF\n`,
  ],
  [
    'a trailer without a start',
    ({ file }) => `${OBJECT}trailer\n<</Size 99/Root 1 0 R/Prev ${startOf(file)}>>\n`,
  ],
  [
    'a table without a trailer',
    ({ file }) => `${OBJECT}xref\n11 1\n${String(file.length).padStart(10, '0')} 00000 n \n`,
  ],
  [
    'a table that is empty',
    ({ file }) =>
      `${OBJECT}xref\n0 0\ntrailer\n<</Size 99/Root 1 0 R/Prev ${startOf(file)}>>\nstartxref\n${file.length + OBJECT.length}\n%%EOF\n`,
  ],
  ['an object without its end', () => OBJECT.replace('endobj', '')],
  ['an object after an end of the transmission', () => `\x04${OBJECT}`],
  ['an object after blanks', () => `${' '.repeat(70_000)}${OBJECT}`],
  ['an object after a comment', () => `% nota\n${OBJECT}`],
  ['a new catalog', () => `1 0 obj\n<</Type/Catalog/Pages 52 0 R>>\nendobj\n`],
  ['another file', ({ file }) => textOf(file).slice(0, 5000)],
]

const loose = tails.map(([name, tail]) =>
  onBytes(
    name,
    (deed) => concatBytes(deed.file, bytesOf(tail(deed))),
    // A complete revision with an empty table: no reader looks for its objects.
    name === 'a table that is empty' ? { verdict: ['VALID', ...NOT_GOOD.verdict] } : NOT_GOOD,
  ),
)

const cut: Attack[] = [1, 2, 5, 6, 7, 10, 20, 40].map((bytes) =>
  onBytes(
    `a revision whose last ${bytes} bytes are missing`,
    (deed) => {
      const longer = appendRevision(deed.file, { 11: CONTENT })
      return longer.subarray(0, longer.length - bytes)
    },
    bytes === 1 ? MODIFIED : NOT_GOOD,
  ),
)

/** Further revisions after the forged one, which distract from it. */
const buried: Attack[] = SETTINGS.map((setting) => ({
  name: `a change, then it is undone, then nothing (${setting.name})`,
  make: async () => {
    const deed = await deedOf(setting)
    const { style } = setting
    const forged = appendRevision(deed.file, { 11: CONTENT }, { style })
    return appendRevision(
      appendRevision(forged, { 12: deed.bodies[12]! }, { style }),
      {},
      { style },
    )
  },
  answer: INVALID,
}))

export const INCREMENTAL_SAVING: readonly Family[] = [
  { name: 'incremental saving', attacks: whole },
  { name: 'incremental saving, incomplete', attacks: [...loose, ...cut] },
  { name: 'incremental saving, buried', attacks: buried },
]
