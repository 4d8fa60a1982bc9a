import { streamBody, textOf } from '#tests/support/pdf/pdf-builders.ts'
import { type Family, INVALID, MODIFIED } from './attack.ts'
import { COVER, edited, FREE, look, textStream } from './deed.ts'
import { appendRevision } from './revision.ts'
import { inEverySetting, onBytes } from './settings.ts'
import type { Signing } from './sign-deed.ts'

/*
 * The document is prepared before it is signed, so that a small later revision shows something else.
 * See Mainka, Mladenov, Rohlmann: Shadow Attacks: Hiding and Replacing Content in Signed PDFs (NDSS 2021).
 */

const named = (attack: string) => ({ ...MODIFIED, attack })

/** Signed content is covered by an image, an appearance or an annotation that a later revision removes. */
const coveredBy: Record<string, Signing> = {
  'a figure': {
    changes: (deed) => ({
      ...edited(deed, 12, '/Fm 22 0 R', `/Fm 22 0 R/Cover ${FREE} 0 R`),
      13: streamBody('BT /F1 24 Tf 30 150 Td (Page 2) Tj ET /Cover Do'),
      [FREE]: COVER,
    }),
  },
  'an annotation': {
    changes: (deed) => ({
      ...edited(deed, 10, '19 0 R]', `19 0 R ${FREE + 1} 0 R]`),
      [FREE]: COVER,
      [FREE + 1]: `<</Type/Annot/Subtype/Stamp/F 4/Rect[0 0 300 300]/AP<</N ${FREE} 0 R>>>>`,
    }),
  },
  'a field': {
    changes: (deed) => ({
      ...edited(deed, 10, '19 0 R]', `19 0 R ${FREE + 1} 0 R]`),
      ...edited(deed, 8, '34 0 R]', `34 0 R ${FREE + 1} 0 R]`),
      [FREE]: COVER,
      [FREE + 1]:
        `<</FT/Btn/Ff 65536/T(Tapa)/Type/Annot/Subtype/Widget/F 4/Rect[0 0 300 300]/P 10 0 R/AP<</N ${FREE} 0 R>>>>`,
    }),
  },
}

const hide = [
  ...inEverySetting(
    'empties the covering figure',
    () => ({ [FREE]: look('') }),
    MODIFIED,
    coveredBy['a figure'],
  ),
  ...inEverySetting(
    'the covering figure becomes nothing',
    () => ({ [FREE]: 'null' }),
    MODIFIED,
    coveredBy['a figure'],
  ),
  ...inEverySetting(
    'takes the covering figure out of the resources',
    (deed) => edited(deed, 12, `/Cover ${FREE} 0 R`, ''),
    MODIFIED,
    coveredBy['a figure'],
  ),
  ...inEverySetting(
    'takes the covering annotation away',
    (deed) => edited(deed, 10, ` ${FREE + 1} 0 R`, ''),
    MODIFIED,
    coveredBy['an annotation'],
  ),
  ...[
    ['hides', '/F 4', '/F 2'],
    ['shrinks', '[0 0 300 300]', '[0 0 1 1]'],
    ['moves', '[0 0 300 300]', '[900 900 999 999]'],
    ['strips', `/AP<</N ${FREE} 0 R>>`, ''],
    ['layers', '/F 4', '/F 4/OC 23 0 R'],
  ].flatMap(([verb, from, to]) =>
    ['an annotation', 'a field'].flatMap((cover) =>
      inEverySetting(
        `${verb} ${cover} that covers`,
        (deed) => edited(deed, FREE + 1, from!, to!),
        MODIFIED,
        coveredBy[cover],
      ),
    ),
  ),
  ...inEverySetting(
    'empties the look of the covering field',
    () => ({ [FREE]: look('') }),
    named('shadow-replace'),
    coveredBy['a field'],
  ),
  ...inEverySetting(
    'takes the covering field away',
    (deed) => ({
      ...edited(deed, 10, ` ${FREE + 1} 0 R`, ''),
      ...edited(deed, 8, ` ${FREE + 1} 0 R`, ''),
    }),
    MODIFIED,
    coveredBy['a field'],
  ),
  ...inEverySetting(
    'turns a layer off',
    (deed) => edited(deed, 24, '/OFF[]', '/OFF[23 0 R]'),
    MODIFIED,
  ),
  ...inEverySetting(
    'turns all layers off',
    (deed) => edited(deed, 24, '/ON', '/BaseState/OFF/ON'),
    MODIFIED,
  ),
]

const replace = [
  ...inEverySetting(
    'redefines the font',
    () => ({ 3: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>' }),
    MODIFIED,
  ),
  ...inEverySetting('redefines the glyphs', () => ({ 33: look('other') }), MODIFIED),
  ...inEverySetting(
    'redefines the descriptor',
    (deed) => edited(deed, 30, '33 0 R', '32 0 R'),
    MODIFIED,
  ),
  ...inEverySetting(
    'redefines the encoding',
    (deed) => edited(deed, 31, '/one/two', '/two/one'),
    MODIFIED,
  ),
  ...inEverySetting('redefines what is copied', () => ({ 32: look('') }), MODIFIED),
  ...inEverySetting(
    'redraws a field with its value',
    () => ({ 7: look('9999') }),
    named('shadow-replace'),
  ),
  ...inEverySetting(
    'gives a field another look with its value',
    (deed) => ({
      ...edited(deed, 5, '/AP<</N 7 0 R>>', `/AP<</N ${FREE} 0 R>>`),
      [FREE]: look('9999'),
    }),
    named('shadow-replace'),
  ),
  ...inEverySetting(
    'gives a field a look under the pointer',
    (deed) => ({
      ...edited(deed, 5, '/AP<</N 7 0 R>>', `/AP<</N 7 0 R/R ${FREE} 0 R>>`),
      [FREE]: look('9999'),
    }),
    named('shadow-replace'),
  ),
  ...inEverySetting('swaps the looks of a box', () => ({ 15: look(''), 16: look('x') }), MODIFIED),
  ...inEverySetting('redraws a choice', () => ({ 21: look('Sonora') }), named('shadow-replace')),
  ...inEverySetting(
    'redraws a line of an address',
    () => ({ 37: look('Juárez 2') }),
    named('shadow-replace'),
  ),
]

const hideAndReplace = [
  ...inEverySetting(
    'shows the hidden page',
    (deed) => edited(deed, 2, '10 0 R', '51 0 R'),
    MODIFIED,
  ),
  ...inEverySetting(
    'adds the hidden page',
    (deed) => edited(deed, 2, '[10 0 R', '[51 0 R 10 0 R'),
    MODIFIED,
  ),
  ...inEverySetting(
    'shows the hidden pages',
    (deed) => edited(deed, 1, '/Pages 2 0 R', '/Pages 52 0 R'),
    MODIFIED,
  ),
  ...inEverySetting(
    'shows the hidden content',
    (deed) => edited(deed, 10, '/Contents 11 0 R', '/Contents 50 0 R'),
    {
      ...MODIFIED,
      attack: 'shadow-hide-and-replace',
    },
  ),
  ...inEverySetting(
    'adds the hidden content',
    (deed) => edited(deed, 10, '/Contents 11 0 R', '/Contents[11 0 R 50 0 R]'),
    MODIFIED,
  ),
  ...inEverySetting(
    'writes the hidden content over',
    () => ({ 11: textStream('Otra cosa') }),
    MODIFIED,
  ),
  ...['table', 'stream'].map((style) =>
    onBytes(
      `a trailer that names the hidden catalog (${style})`,
      ({ file }) => appendRevision(file, {}, { root: 53, style: style as 'table' | 'stream' }),
      { ...INVALID, attack: 'trailer-or-catalog-swap' },
    ),
  ),
  onBytes(
    'a second body of the content, unlisted until later',
    async (deed) => {
      const other = textOf(deed.file).indexOf('11 0 obj', textOf(deed.file).indexOf('%twin'))
      return appendRevision(deed.file, {}, { rows: { 11: [1, other, 0] } })
    },
    named('shadow-hide-and-replace'),
    {
      // A comment in front of a body: a second object 11 stands in the middle of object 29's data.
      changes: () => ({
        29: `${textStream('anexo')}\nendobj\n%twin\n11 0 obj\n${textStream('Otra cosa')}`,
      }),
    },
  ),
]

export const SHADOW: readonly Family[] = [
  { name: 'shadow: hide', attacks: hide },
  { name: 'shadow: replace', attacks: replace },
  { name: 'shadow: hide and replace', attacks: hideAndReplace },
]
