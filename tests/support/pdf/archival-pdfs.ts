import { bodiesWithPages, pdfWithTable, streamBody, textOf } from './pdf-builders.ts'

/* Handwritten files that conform to PDF/A, without text. They do not use the writer under test. */

export type Archival = { part: '1' | '2' | '3'; colours: 'rgb' | 'grey' | 'none' }

/** A page in letter size with a filled square, in the colours that the file gives a meaning. */
export function archivalPdf({ part, colours }: Archival): Uint8Array {
  const bodies = bodiesWithPages(1)
  const intents = colours === 'none' ? '' : '/OutputIntents[21 0 R]'
  const profile = profileOf(colours === 'rgb')
  const spaces = '/ColorSpace<</Own[/CalRGB<</WhitePoint[0.9505 1 1.089]/Gamma[2.2 2.2 2.2]>>]>>'
  const fill = { rgb: '1 0 0 rg', grey: '0.5 g', none: '/Own cs 1 0 0 sc' }[colours]
  return pdfWithTable({
    1: `<</Type/Catalog/Pages 2 0 R/Metadata 20 0 R${intents}>>`,
    2: bodies[2]!,
    4: '<<>>',
    10: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<<${spaces}>>/Contents 11 0 R>>`,
    11: streamBody(`${fill} 100 600 50 50 re f`),
    20: streamBody(metadataOf(part), '/Type/Metadata/Subtype/XML'),
    21: '<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(Own)/Info(Own)/DestOutputProfile 22 0 R>>',
    22: streamBody(profile, `/N ${colours === 'rgb' ? 3 : 1}`),
  })
}

const metadataOf = (part: string) => `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>${part}</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`

/** An ICC profile, one character a byte. */
function profileOf(isRgb: boolean): string {
  const curve = 'curv\0\0\0\0\0\0\0\x01\x02\x33\0\0'
  const xyz = (values: string) => `XYZ \0\0\0\0${values}`
  const white = '\0\0\xf6\xd6\0\x01\0\0\0\0\xd3\x2d'
  const tags: [string, string][] = [
    ['desc', `desc\0\0\0\0\0\0\0\x04Own\0${'\0'.repeat(80)}`],
    ['cprt', 'text\0\0\0\0None'],
    ['wtpt', xyz(white)],
    ...(isRgb
      ? ([
          ['rXYZ', xyz('\0\0\x6f\xa2\0\0\x38\xf5\0\0\x03\x90')],
          ['gXYZ', xyz('\0\0\x62\x93\0\0\xb7\x87\0\0\x18\xda')],
          ['bXYZ', xyz('\0\0\x24\xa0\0\0\x0f\x84\0\0\xb6\xcf')],
          ['rTRC', curve],
          ['gTRC', curve],
          ['bTRC', curve],
        ] as [string, string][])
      : ([['kTRC', curve]] as [string, string][])),
  ]
  let offset = 128 + 4 + 12 * tags.length
  let [rows, data] = ['', '']
  for (const [tag, bytes] of tags) {
    rows += `${tag}${number(offset)}${number(bytes.length)}`
    data += bytes
    offset += bytes.length
  }
  const kind = `mntr${isRgb ? 'RGB ' : 'GRAY'}XYZ `
  const head = `${number(offset)}\0\0\0\0\x02\x10\0\0${kind}\x07\xea\0\x01\0\x01\0\0\0\0\0\0acsp`
  return `${`${head.padEnd(68, '\0')}${white}`.padEnd(128, '\0')}${number(tags.length)}${rows}${data}`
}

function number(value: number): string {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return textOf(bytes)
}
