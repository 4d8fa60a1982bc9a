import { streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { type Attack, type Family, valid } from './attack.ts'
import { type Deed, edited, FREE, look, revised, tick } from './deed.ts'
import { deedOf, inEverySetting, SETTINGS } from './settings.ts'
import { certifying, signDeed } from './sign-deed.ts'

/* Changes that are allowed after a signature: refusing these would be a false alarm. */

const DER = streamBody('\x30\x00')
const metadata = streamBody(
  '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x/>',
  '/Type/Metadata/Subtype/XML',
)

const withStore = (deed: Deed, entries: string) => ({
  ...edited(deed, 1, '/Pages', `/DSS ${FREE} 0 R/Pages`),
  [FREE]: `<<${entries}>>`,
  [FREE + 1]: DER,
})

const harmless = [
  ...inEverySetting('nothing', () => ({}), valid('NONE')),
  ...inEverySetting('an object that nothing leads to', () => ({ [FREE]: '(nada)' }), valid('NONE')),
  ...inEverySetting(
    'the same objects again',
    (deed) => ({
      1: deed.bodies[1]!,
      2: deed.bodies[2]!,
      5: deed.bodies[5]!,
      11: deed.bodies[11]!,
    }),
    valid('NONE'),
  ),
  ...inEverySetting(
    'the same page with other blanks',
    (deed) => ({
      12: deed.bodies[12]!.replaceAll('/', ' /').replaceAll('0 0 300 300', '0.0 0 300.00 +300'),
    }),
    valid('NONE'),
  ),
  ...inEverySetting(
    'the same page with fewer digits',
    (deed) => edited(deed, 10, '841.889763779528', '841.8898'),
    valid('NONE'),
    { changes: (deed) => edited(deed, 10, '0 0 300 300', '0 0 595.303937007874 841.889763779528') },
  ),
  ...inEverySetting(
    'the order of the tab key',
    (deed) => edited(deed, 10, '/Parent', '/Tabs/S/Parent'),
    valid('NONE'),
  ),
  ...inEverySetting(
    'the date of a page',
    (deed) => edited(deed, 10, '/Parent', '/LastModified(D:2027)/Parent'),
    valid('NONE'),
  ),
]

const updates = [
  ...inEverySetting('a newer XMP packet', () => ({ 9: metadata }), valid('LTA_UPDATES')),
  ...inEverySetting(
    'dates and programs',
    () => ({ 4: '<</Title(Escritura \\(una\\))/Own#20Key 1.50/ModDate(D:2027)/Producer(Otro)>>' }),
    valid('LTA_UPDATES'),
  ),
  ...inEverySetting(
    'whether colours were trapped, in another way',
    () => ({ 4: '<</Title(Escritura \\(una\\))/Own#20Key 1.50/Trapped(False)>>' }),
    valid('LTA_UPDATES'),
  ),
  ...inEverySetting(
    'certificates',
    (deed) => withStore(deed, `/Type/DSS/Certs[${FREE + 1} 0 R]`),
    valid('LTA_UPDATES'),
  ),
  ...inEverySetting(
    'answers and lists',
    (deed) => withStore(deed, `/OCSPs[${FREE + 1} 0 R]/CRLs[${FREE + 1} 0 R]`),
    valid('LTA_UPDATES'),
  ),
  ...inEverySetting(
    'data for one signature',
    (deed) =>
      withStore(
        deed,
        `/VRI<</${'AB'.repeat(20)}<</Cert[${FREE + 1} 0 R]/TU(D:20270101)>>>>/Certs[${FREE + 1} 0 R]`,
      ),
    valid('LTA_UPDATES'),
  ),
  ...inEverySetting(
    'developer extensions',
    (deed) =>
      edited(deed, 1, '/Pages', '/Extensions<</ESIC<</BaseVersion/1.7/ExtensionLevel 1>>>>/Pages'),
    valid('NONE', 'LTA_UPDATES'),
  ),
  ...([1, 2, 3] as const).flatMap((level) =>
    inEverySetting(
      `certificates, certified ${level}`,
      (deed) => withStore(deed, `/Certs[${FREE + 1} 0 R]`),
      valid('LTA_UPDATES'),
      { entries: certifying(level) },
    ),
  ),
]

const filling = [
  ...inEverySetting(
    'a text',
    (deed) => ({ ...edited(deed, 5, '(1000)', '(2000)'), 7: look('2000') }),
    valid('FORM_FILLING'),
  ),
  ...inEverySetting(
    'a text with a new look',
    (deed) => ({
      5: deed.bodies[5]!.replace('(1000)', '(2000)').replace('/N 7 0 R', `/N ${FREE} 0 R`),
      [FREE]: look('2000'),
    }),
    valid('FORM_FILLING'),
  ),
  ...inEverySetting(
    'a box',
    (deed) => ({ 14: deed.bodies[14]!.replace('/V/Off/AS/Off', '/V/Si/AS/Si') }),
    valid('FORM_FILLING'),
  ),
  ...inEverySetting(
    'a choice',
    (deed) => ({ ...edited(deed, 17, '/V(Jalisco)', '/V(Sonora)/I[1]'), 21: look('Sonora') }),
    valid('FORM_FILLING'),
  ),
  ...inEverySetting(
    'a box whose look is drawn anew',
    (deed) => ({ 14: deed.bodies[14]!.replace('/V/Off/AS/Off', '/V/Si/AS/Si'), 15: tick('4') }),
    valid('FORM_FILLING'),
  ),
  ...inEverySetting(
    'a box both of whose looks are drawn anew',
    (deed) => ({
      14: deed.bodies[14]!.replace('/V/Off/AS/Off', '/V/Si/AS/Si').replace(
        '/Si 15 0 R',
        `/Si ${FREE} 0 R`,
      ),
      16: look(''),
      [FREE]: tick('8'),
    }),
    valid('FORM_FILLING'),
  ),
  ...inEverySetting(
    'a choice, and how far its list is scrolled',
    (deed) => ({ ...edited(deed, 17, '/V(Jalisco)', '/V(Sonora)/TI 0'), 21: look('Sonora') }),
    valid('FORM_FILLING'),
  ),
  ...inEverySetting(
    'a choice whose options are written in another encoding, and no flags',
    (deed) => ({
      17: deed.bodies[17]!.replace('/V(Jalisco)', '/V(Sonora)/Ff 0').replace(
        '(Jalisco)',
        '<feff004a0061006c006900730063006f>',
      ),
      21: look('Sonora'),
    }),
    valid('FORM_FILLING'),
  ),
  ...inEverySetting(
    'a text, with a narrow border and no description',
    (deed) => ({ ...edited(deed, 5, '(1000)', '(2000)/BS<</S/S/W 1>>/TU()'), 7: look('2000') }),
    valid('FORM_FILLING'),
  ),
  ...inEverySetting(
    'a line of an address',
    (deed) => ({ ...edited(deed, 36, '(Tepic)', '(Colima)'), 38: look('Colima') }),
    valid('FORM_FILLING'),
  ),
  ...inEverySetting(
    'an emptied text',
    (deed) => ({ ...edited(deed, 5, '/V(1000)', '/V()'), 7: look('') }),
    valid('FORM_FILLING'),
  ),
  ...inEverySetting(
    'several fields',
    (deed) => ({
      ...edited(deed, 5, '(1000)', '(2000)'),
      7: look('2000'),
      ...edited(deed, 36, '(Tepic)', '(Colima)'),
      38: look('Colima'),
      14: deed.bodies[14]!.replace('/V/Off/AS/Off', '/V/Si/AS/Si'),
    }),
    valid('FORM_FILLING'),
  ),
]

/** A further signature, or three; each in the style of the setting. */
const further: Attack[] = SETTINGS.flatMap((setting) =>
  [1, 3].flatMap((count) =>
    ([undefined, 2, 3] as const).map((level) => ({
      name: `${count} more, certified ${level ?? 'nothing'} (${setting.name})`,
      make: async () => {
        let deed = await deedOf(setting, level ? { entries: certifying(level) } : {})
        for (let more = 0; more < count; more++)
          deed = await signDeed(deed, { number: 70 + 10 * more, style: setting.style })
        return deed.file
      },
      answer: valid('FORM_FILLING'),
    })),
  ),
)

/** Filled, signed, updated: the life of an honest deed. */
const lives: Attack[] = SETTINGS.map((setting) => ({
  name: `filled, signed, updated (${setting.name})`,
  make: async () => {
    const { style } = setting
    const deed = await deedOf(setting)
    const filled = revised(deed, { ...edited(deed, 5, '(1000)', '(2000)'), 7: look('2000') }, style)
    const signed = await signDeed(filled, { number: 70, style })
    return revised(signed, withStore(signed, `/Certs[${FREE + 1} 0 R]`), style).file
  },
  answer: valid('FORM_FILLING'),
}))

export const ALLOWED: readonly Family[] = [
  { name: 'allowed: nothing that counts', attacks: harmless },
  { name: 'allowed: validation data and metadata', attacks: updates },
  { name: 'allowed: filling in', attacks: filling },
  { name: 'allowed: further signatures', attacks: [...further, ...lives] },
]
