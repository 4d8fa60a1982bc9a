import { bytesOf, textOf } from '#tests/support/pdf/pdf-builders.ts'
import { type Attack, type Family, INVALID, MODIFIED, NOT_GOOD, REFUSED } from './attack.ts'
import { type Deed, edited, FREE, textStream } from './deed.ts'
import { appendRevision, crossReferenceStream, sizeOf, startOf } from './revision.ts'
import { inEverySetting, onBytes } from './settings.ts'

/* The trailer, the catalog, the tree of pages, and the cross-reference itself. */

const swaps: Attack[] = [
  ...(['table', 'stream'] as const).flatMap((style) => [
    onBytes(
      `another catalog by the trailer (${style})`,
      ({ file }) =>
        appendRevision(file, { [FREE]: '<</Type/Catalog/Pages 52 0 R>>' }, { root: FREE, style }),
      { ...INVALID, attack: 'trailer-or-catalog-swap' },
    ),
    onBytes(
      `the same catalog under another number (${style})`,
      ({ file, bodies }) => appendRevision(file, { [FREE]: bodies[1]! }, { root: FREE, style }),
      { verdict: ['VALID', 'INVALID'] },
    ),
    onBytes(
      `no catalog (${style})`,
      ({ file }) => appendRevision(file, {}, { root: 98, style }),
      REFUSED,
    ),
    onBytes(
      `a page as the catalog (${style})`,
      ({ file }) => appendRevision(file, {}, { root: 10, style }),
      REFUSED,
    ),
    onBytes(
      `the catalog emptied (${style})`,
      ({ file }) => appendRevision(file, { 1: '<</Type/Catalog>>' }, { style }),
      REFUSED,
    ),
    onBytes(
      `the catalog deleted (${style})`,
      ({ file }) => appendRevision(file, {}, { style, rows: { 1: [0, 0, 1] } }),
      REFUSED,
    ),
    onBytes(
      `a trailer that encrypts (${style})`,
      ({ file }) =>
        appendRevision(
          file,
          {
            [FREE]: `<</Filter/Standard/V 1/R 2/P -4/O<${'00'.repeat(32)}>/U<${'00'.repeat(32)}>>>`,
          },
          { style, trailer: `/Encrypt ${FREE} 0 R` },
        ),
      REFUSED,
    ),
    onBytes(
      `a trailer with two catalogs (${style})`,
      ({ file }) => appendRevision(file, {}, { style, trailer: '/Root 53 0 R' }),
      NOT_GOOD,
    ),
    onBytes(
      `another document's data by /Info (${style})`,
      ({ file }) => appendRevision(file, { 4: '<</Title(Testamento)/Author(Otro)>>' }, { style }),
      MODIFIED,
    ),
  ]),
  ...inEverySetting(
    'the form replaced',
    (deed) => ({
      ...edited(deed, 1, '/AcroForm 8 0 R', `/AcroForm ${FREE} 0 R`),
      [FREE]: '<</Fields[]>>',
    }),
    NOT_GOOD,
  ),
  ...inEverySetting('the form removed', (deed) => edited(deed, 1, '/AcroForm 8 0 R', ''), NOT_GOOD),
  ...inEverySetting(
    'the signature left out of the form',
    (deed) => edited(deed, 8, ' 40 0 R', ''),
    NOT_GOOD,
  ),
  ...inEverySetting(
    'extra permissions',
    (deed) => edited(deed, 1, '/Pages', '/Perms<</DocMDP 41 0 R>>/Pages'),
    INVALID,
  ),
  ...inEverySetting(
    'requirements',
    (deed) => edited(deed, 1, '/Pages', '/Requirements[<</S/EnableJavaScripts>>]/Pages'),
    INVALID,
  ),
  ...inEverySetting(
    'another base of addresses',
    (deed) => edited(deed, 1, '/Pages', '/URI<</Base(https://otro.example/)>>/Pages'),
    INVALID,
  ),
  ...inEverySetting(
    'another view',
    (deed) =>
      edited(
        deed,
        1,
        '/Pages',
        '/ViewerPreferences<</HideToolbar true>>/PageMode/FullScreen/Pages',
      ),
    INVALID,
  ),
]

const PAGE =
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R>>>>/Contents 61 0 R>>'
const added = { [FREE]: PAGE, [FREE + 1]: textStream('Otra cosa') }
const pages: Attack[] = [
  ...inEverySetting(
    'a page in front',
    (deed) => ({ ...edited(deed, 2, '[10', `[${FREE} 0 R 10`), ...added }),
    { ...INVALID, says: 'pages-added' },
  ),
  ...inEverySetting(
    'a page after',
    (deed) => ({ ...edited(deed, 2, ']', ` ${FREE} 0 R]`), ...added }),
    INVALID,
  ),
  ...inEverySetting(
    'a page between, and the count',
    (deed) => ({
      2: deed.bodies[2]!.replace('10 0 R', `10 0 R ${FREE} 0 R`).replace('/Count 2', '/Count 3'),
      ...added,
    }),
    INVALID,
  ),
  ...inEverySetting('a page less', (deed) => edited(deed, 2, ' 12 0 R', ''), INVALID),
  ...inEverySetting(
    'pages in another order',
    (deed) => edited(deed, 2, '10 0 R 12 0 R', '12 0 R 10 0 R'),
    INVALID,
  ),
  ...inEverySetting(
    'a page twice',
    (deed) => edited(deed, 2, '10 0 R 12 0 R', '10 0 R 10 0 R'),
    INVALID,
  ),
  ...inEverySetting('no pages', (deed) => edited(deed, 2, '10 0 R 12 0 R', ''), INVALID),
  ...inEverySetting('another count', (deed) => edited(deed, 2, '/Count 2', '/Count 1'), INVALID),
  ...inEverySetting('a loop', (deed) => edited(deed, 2, '[10 0 R', '[2 0 R 10 0 R'), REFUSED),
  ...inEverySetting(
    'a node between',
    (deed) => ({
      ...edited(deed, 2, '12 0 R', `${FREE} 0 R`),
      [FREE]: '<</Type/Pages/Parent 2 0 R/Kids[12 0 R]/Count 1/Rotate 90>>',
    }),
    INVALID,
  ),
  ...inEverySetting(
    'entries for all pages',
    (deed) => edited(deed, 2, '/Count', '/Rotate 180/CropBox[0 0 9 9]/Count'),
    { ...INVALID, says: 'shared-page-data-changed' },
  ),
  ...inEverySetting(
    'a page with another parent',
    (deed) => ({
      ...edited(deed, 12, '/Parent 2 0 R', `/Parent ${FREE} 0 R`),
      [FREE]: '<</Type/Pages/Kids[12 0 R]/Count 1/Rotate 90>>',
    }),
    INVALID,
  ),
  ...inEverySetting(
    'a page that is a template',
    (deed) => edited(deed, 12, '/Type/Page', '/Type/Template'),
    INVALID,
  ),
  ...inEverySetting(
    'a page that is smaller by a hair',
    (deed) => edited(deed, 12, '300.5', '300.4'),
    INVALID,
    { changes: (deed) => edited(deed, 12, '0 0 300 300', '0 0 300 300.5') },
  ),
  ...inEverySetting('a page becomes nothing', () => ({ 12: 'null' }), INVALID),
]

const rowAt = (offset: number) => `${String(offset).padStart(10, '0')} 00000 n \n`
const placeOf = (file: Uint8Array, number: number) => textOf(file).indexOf(`\n${number} 0 obj`) + 1
const OBJECT = `11 0 obj\n${textStream('Otra cosa')}\nendobj\n`

/** A revision with a table and beside it a stream, each with its own row for object 11. */
function hybridTail(
  { file }: Deed,
  table: (start: number) => string,
  stream: (start: number) => [number, readonly [number, number, number]][],
): Uint8Array {
  const start = file.length
  const xref = start + OBJECT.length
  const section = `${sizeOf(file)} 0 obj\n${crossReferenceStream(new Map(stream(start)), '/Size 99/Root 1 0 R')}\nendobj\n`
  const end = xref + section.length
  const text = `${textOf(file)}${OBJECT}${section}xref\n${table(start)}trailer\n<</Size 99/Root 1 0 R/Info 4 0 R/Prev ${startOf(file)}/XRefStm ${xref}>>\nstartxref\n${end}\n%%EOF\n`
  return bytesOf(text)
}

const crossReference: Attack[] = [
  onBytes(
    'the table names the old content, the stream the new',
    (deed) =>
      hybridTail(
        deed,
        () => `11 1\n${rowAt(placeOf(deed.file, 11))}`,
        (start) => [[11, [1, start, 0]]],
      ),
    NOT_GOOD,
  ),
  onBytes(
    'the table names the new content, the stream the old',
    (deed) =>
      hybridTail(
        deed,
        (start) => `11 1\n${rowAt(start)}`,
        () => [[11, [1, placeOf(deed.file, 11), 0]]],
      ),
    NOT_GOOD,
  ),
  onBytes(
    'the table frees the content, the stream has a new one',
    (deed) =>
      hybridTail(
        deed,
        () => '11 1\n0000000000 00001 f \n',
        (start) => [[11, [1, start, 0]]],
      ),
    NOT_GOOD,
  ),
  onBytes(
    'only the stream has the new content',
    (deed) =>
      hybridTail(
        deed,
        () => '0 1\n0000000000 65535 f \n',
        (start) => [[11, [1, start, 0]]],
      ),
    NOT_GOOD,
  ),
  onBytes(
    'the stream frees the content',
    (deed) =>
      hybridTail(
        deed,
        () => '0 1\n0000000000 65535 f \n',
        () => [[11, [0, 0, 1]]],
      ),
    NOT_GOOD,
  ),
  ...(['table', 'stream'] as const).flatMap((style) => {
    const tail = (
      name: string,
      change: (deed: Deed) => Uint8Array,
      answer: Attack['answer'] = NOT_GOOD,
    ) => onBytes(`${name} (${style})`, change, answer)
    return [
      tail(
        '/Prev leads to itself',
        ({ file }) => appendRevision(file, {}, { style, prev: file.length }),
        REFUSED,
      ),
      tail(
        '/Prev leads nowhere',
        ({ file }) => appendRevision(file, {}, { style, prev: 5 }),
        REFUSED,
      ),
      tail(
        '/Prev leads after the end',
        ({ file }) => appendRevision(file, {}, { style, prev: 99_999_999 }),
        REFUSED,
      ),
      tail('no /Prev', ({ file }) => appendRevision(file, {}, { style, prev: null }), REFUSED),
      tail(
        '/Prev leaves the signed revision out',
        ({ file }) =>
          appendRevision(
            file,
            { 11: textStream('Otra cosa') },
            { style, prev: Number(/\/Prev (\d+)/.exec(textOf(file))![1]) },
          ),
        REFUSED,
      ),
      tail(
        '/Prev leads to a later part',
        ({ file }) =>
          appendRevision(
            appendRevision(file, {}, { style }),
            {},
            { style, prev: Number(/\/Prev (\d+)/.exec(textOf(file))![1]) },
          ),
        REFUSED,
      ),
      tail('the content freed', ({ file }) =>
        appendRevision(file, {}, { style, rows: { 11: [0, 0, 1] } }),
      ),
      // Without its signature the document is unsigned.
      tail(
        'the signature freed',
        ({ file }) => appendRevision(file, {}, { style, rows: { 41: [0, 0, 1] } }),
        { verdict: [...NOT_GOOD.verdict, 'NO_SIGNATURE'] },
      ),
      tail('a freed number used again', ({ file }) =>
        appendRevision(
          appendRevision(file, {}, { style, rows: { 11: [0, 0, 1] } }),
          { 11: textStream('Otra cosa') },
          { style },
        ),
      ),
      tail('another generation', ({ file }) => {
        const text = `${textOf(file)}11 1 obj\n${textStream('Otra cosa')}\nendobj\n`
        return appendRevision(
          bytesOf(text),
          {},
          { style, prev: startOf(file), rows: { 11: [1, file.length, 1] } },
        )
      }),
    ]
  }),
  ...([1, 3, 5, 10, 11, 12, 20] as const).map((number) =>
    onBytes(
      `an object stream overrides object ${number}`,
      ({ file, bodies }) =>
        appendRevision(
          file,
          {
            [number]: number === 11 ? '<<>>' : `<</Type/Own/Was(${bodies[number]?.length ?? 0})>>`,
          },
          { style: 'object stream' },
        ),
      number === 20 ? { verdict: ['VALID'] } : REFUSED,
    ),
  ),
]

/**
 * A later row that gives an object of the signed document a wrong position. Some readers search for the object and
 * find the signed one, others show a page without it.
 */
const astray: Attack[] = (['table', 'stream'] as const).flatMap((style) =>
  Object.entries({
    'where another object is': ({ file }: Deed) => [1, placeOf(file, 10), 0] as const,
    'where an object is that nothing leads to': ({ file }: Deed) =>
      [1, placeOf(file, 50), 0] as const,
    'after the end': () => [1, 0xffffff, 0] as const,
    'amid its number': ({ file }: Deed) => [1, placeOf(file, 11) + 1, 0] as const,
    'into an object stream that is none': () => [2, 12, 0] as const,
  }).map(([name, row]) =>
    onBytes(
      `the content is looked for ${name} (${style})`,
      (deed) => appendRevision(deed.file, {}, { style, rows: { 11: row(deed) } }),
      NOT_GOOD,
    ),
  ),
)

/** An attacker who keeps the digest cannot change rows of the signed table: all of it is hashed. */
const inside: Attack[] = [1, 5, 10, 11, 12, 41].flatMap((number) =>
  [50, 12].map((other) =>
    onBytes(
      `the signed table leads from ${number} to ${other}`,
      ({ file }) => {
        const text = textOf(file)
        return bytesOf(
          text.replace(
            String(placeOf(file, number)).padStart(10, '0'),
            String(placeOf(file, other)).padStart(10, '0'),
          ),
        )
      },
      number === other ? { verdict: ['VALID'] } : NOT_GOOD,
    ),
  ),
)

export const STRUCTURE: readonly Family[] = [
  { name: 'trailer and catalog swaps', attacks: swaps },
  { name: 'edits of the page tree', attacks: pages },
  { name: 'tricks with the cross-reference', attacks: [...crossReference, ...astray, ...inside] },
]
