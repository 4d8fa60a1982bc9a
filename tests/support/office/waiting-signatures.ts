import {
  type Bodies,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  textOf,
} from '#tests/support/pdf/pdf-builders.ts'
import type { Seal } from '#tests/support/pdf/signed-pdfs.ts'

/** Every way to encrypt a file that readers open without a password, as arguments of qpdf. */
export const ENCRYPTIONS: Record<string, readonly string[]> = {
  'RC4, 40 bits': ['--allow-weak-crypto', '--encrypt', '', 'owner', '40', '--'],
  'RC4, 128 bits': ['--allow-weak-crypto', '--encrypt', '', 'owner', '128', '--use-aes=n', '--'],
  'RC4 by a crypt filter': [
    '--allow-weak-crypto',
    ...['--encrypt', '', 'owner', '128', '--force-V4', '--cleartext-metadata', '--'],
  ],
  'AES, 128 bits': ['--allow-weak-crypto', '--encrypt', '', 'owner', '128', '--use-aes=y', '--'],
  'AES, 256 bits, revision 5': [
    '--allow-weak-crypto',
    ...['--encrypt', '', 'owner', '256', '--force-R5', '--'],
  ],
  'AES, 256 bits': ['--encrypt', '', 'owner', '256', '--'],
  'AES with metadata in the clear': [
    ...['--encrypt', '', 'owner', '256', '--cleartext-metadata', '--'],
  ],
}

const ROOM = 6000
const RANGE = '[0 1111111111 2222222222 3333333333]'

/** A page and a form with a signature field; range and content of the signature are filled in later. */
export const waitingForSignature = (): Uint8Array => pdfWithTable(waitingBodies())

export function waitingBodies(): Bodies {
  const bodies = bodiesWithPages(1, '/AcroForm<</Fields[20 0 R]/SigFlags 3>>')
  return {
    ...bodies,
    10: bodies[10]!.replace('/Contents', '/Annots[20 0 R]/Contents'),
    20: '<</FT/Sig/T(Firma1)/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/F 132/P 10 0 R/V 21 0 R>>',
    21: waitingSignature('/M(D:20261120150000Z)/Reason(Doy fe)'),
  }
}

/** A signature dictionary; `sealedLater` fills in range and content. */
export const waitingSignature = (entries = '') =>
  `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached${entries}/ByteRange ${RANGE}/Contents <${'0'.repeat(2 * ROOM)}>>>`

/** The file with its waiting signature made, wherever a program that wrote it anew has put it. */
export async function sealedLater(waiting: Uint8Array, seal: Seal): Promise<Uint8Array> {
  const text = textOf(waiting)
  const range = /\/ByteRange ?(\[ ?0 1111111111 2222222222 3333333333 ?\])/.exec(text)!
  const contents = /\/Contents ?(<0+>)/.exec(text)!
  const start = contents.index + contents[0].length - contents[1]!.length
  const end = start + contents[1]!.length
  const written = `[0 ${start} ${end} ${text.length - end}]`.padEnd(range[1]!.length)
  const whole = text.replace(range[1]!, written)
  const cms = await seal(bytesOf(whole.slice(0, start) + whole.slice(end)))
  const hex = Buffer.from(cms)
    .toString('hex')
    .padEnd(contents[1]!.length - 2, '0')
  return bytesOf(`${whole.slice(0, start)}<${hex}>${whole.slice(end)}`)
}
