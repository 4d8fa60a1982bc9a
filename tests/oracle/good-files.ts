import { X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PDF } from '@libpdf/core'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { equalBytes, memorySource } from '#server/domain/bytes.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isName, type PdfName } from '#server/domain/pdf/object.ts'
import { deedBodies, layOut } from '#tests/attacks/deed.ts'
import { openPeers, type Peer } from '#tests/bench/batch-peers.ts'
import { testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { judge, type Testimony } from '#tests/support/judges.ts'

/*
 * Files that other programs wrote and signed, with honest changes behind the signature. The test authority issued
 * their certificates.
 */

export type GoodFile = { name: string; file: Uint8Array }

/** A program does not handle a file of another one: there is nothing to judge. */
export type Left = { name: string; reason: string }

const [openssl, certutil, pk12util] = [judge('openssl'), judge('certutil'), judge('pk12util')]
const [pdfsig, qpdf, mutool, gs] = [judge('pdfsig'), judge('qpdf'), judge('mutool'), judge('gs')]
const pdftocairo = judge('pdftocairo')

type Step = (file: Uint8Array) => Promise<Uint8Array>
type Steps = readonly (readonly [string, Step])[]

/** Every base, rewritten by every program, signed by every other, with every change. */
export async function* goodFiles(folder: string): AsyncGenerator<GoodFile | Left> {
  const signers = await signersIn(folder)
  const changes = changesBy(signers)
  for (const [base, make] of BASES)
    for (const [rewriting, rewrite] of rewritersIn(folder)) {
      const unsigned = await attempt(`${base}, ${rewriting}`, async () => rewrite(await make()))
      if ('reason' in unsigned) yield unsigned
      else
        for (const [signer, sign] of signers) {
          const signed = await attempt(`${unsigned.name}, ${signer}`, async () =>
            mustKeepObjects(unsigned.file, await sign(unsigned.file)),
          )
          yield signed
          if ('reason' in signed) continue
          for (const [change, apply] of changes)
            yield await attempt(`${signed.name}; ${change}`, () => apply(signed.file))
        }
    }
}

async function attempt(name: string, make: () => Promise<Uint8Array>): Promise<GoodFile | Left> {
  try {
    return { name, file: await make() }
  } catch (error) {
    const [reason = ''] = String(error).split('\n')
    return { name, reason }
  }
}

/**
 * A program that writes over objects of a file does not sign what it was given: pdfsig takes the numbers of objects that
 * only the stream of a hybrid lists, so that the font of the page is none any more.
 */
function mustKeepObjects(unsigned: Uint8Array, signed: Uint8Array): Uint8Array {
  const isAppended = equalBytes(unsigned, signed.subarray(0, unsigned.length))
  const [before, after] = [unsigned, signed].map((file) => readDocument(memorySource(file)))
  const typeIn = (document: PdfDocument, number: number) => {
    const type = entriesOf(document.object(number)?.value).get('Type')
    return isName(type ?? null) ? (type as PdfName).value : undefined
  }
  for (const number of isAppended ? before!.objectNumbers : []) {
    const type = typeIn(before!, number)
    if (type !== undefined && typeIn(after!, number) !== type)
      throw new Error(`writes over object ${number}`)
  }
  return signed
}

/** Without a signature. */
const BASES: readonly (readonly [string, () => Promise<Uint8Array>])[] = [
  ['a letter', () => letter(1)],
  ['three pages', () => letter(3)],
  ['a form', form],
  ...(['table', 'object stream', 'hybrid', 'two sections'] as const).map(
    (layout) => [`a deed with ${layout}`, async () => layOut(deedBodies(), layout).file] as const,
  ),
]

async function letter(pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.TimesRoman)
  for (let page = 1; page <= pages; page++)
    document.addPage([612, 792]).drawText(`Escritura, página ${page}`, { x: 50, y: 700, font })
  return document.save()
}

async function form(): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const page = document.addPage([612, 792])
  page.drawText('Solicitud', { x: 50, y: 700 })
  const fields = document.getForm()
  fields.createTextField('nombre').addToPage(page, { x: 50, y: 600, width: 200, height: 20 })
  fields.createTextField('domicilio').addToPage(page, { x: 50, y: 560, width: 200, height: 20 })
  fields.createCheckBox('acepta').addToPage(page, { x: 50, y: 520, width: 15, height: 15 })
  return document.save()
}

function rewritersIn(folder: string): Steps {
  const [before, after] = [path.join(folder, 'before.pdf'), path.join(folder, 'after.pdf')]
  const by = (run: () => Testimony): Step => {
    return async (file) => {
      writeFileSync(before, file)
      mustRun(run())
      return new Uint8Array(readFileSync(after))
    }
  }
  const byQpdf = (...args: string[]) =>
    [`qpdf ${args.join(' ')}`, by(() => qpdf(...args, before, after))] as const
  const byMutool = (...args: string[]) =>
    [`mutool clean ${args.join(' ')}`, by(() => mutool('clean', ...args, before, after))] as const
  const distill = ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', `-sOutputFile=${after}`]
  return [
    ['as it is', async (file) => file],
    byQpdf('--object-streams=generate'),
    byQpdf('--linearize'),
    byQpdf('--qdf'),
    byQpdf('--stream-data=uncompress', '--object-streams=disable'),
    byMutool('-z'),
    byMutool('-gggg'),
    byMutool('-d', '-a'),
    ['Ghostscript', by(() => gs(...distill, before))],
    ['pdftocairo', by(() => pdftocairo('-pdf', before, after))],
  ]
}

function mustRun({ status, output, errors }: Testimony): void {
  if (status !== 0) throw new Error(errors || output)
}

async function signersIn(folder: string): Promise<Steps> {
  const { issuing } = await testAuthority()
  const peers = await openPeers({ efirma: await testEfirma(), issuing })
  const others = Object.entries(peers) as [string, Peer][]
  return [['pdfsig', await pdfsigIn(folder)], ...others]
}

const PASSWORD = 'prueba'

/** pdfsig with a store of its own. */
async function pdfsigIn(folder: string): Promise<Step> {
  const at = (name: string) => path.join(folder, name)
  const { root, issuing } = await testAuthority()
  const { cer, keyPair } = await testEfirma()
  const pem = (der: Uint8Array) => new X509Certificate(der).toString()
  const store = `sql:${folder}`
  writeFileSync(at('key.pem'), keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(at('signer.pem'), pem(cer))
  writeFileSync(at('chain.pem'), pem(issuing.der) + pem(root.der))
  writeFileSync(at('root.pem'), pem(root.der))
  const holder = ['-inkey', at('key.pem'), '-in', at('signer.pem'), '-certfile', at('chain.pem')]
  const output = ['-name', 'ana', '-passout', `pass:${PASSWORD}`, '-out', at('ana.p12')]
  mustRun(openssl('pkcs12', '-export', ...holder, ...output))
  mustRun(certutil('-N', '-d', store, '--empty-password'))
  mustRun(certutil('-A', '-d', store, '-n', 'root', '-t', 'CT,C,C', '-i', at('root.pem')))
  mustRun(pk12util('-i', at('ana.p12'), '-d', store, '-W', PASSWORD))
  let count = 0
  return async (file) => {
    writeFileSync(at('in.pdf'), file)
    count += 1
    const field = ['-new-signature-field-name', `Firma de pdfsig ${count}`]
    const files = [at('in.pdf'), at('out.pdf')]
    mustRun(pdfsig('-nssdir', store, ...files, '-add-signature', '-nick', 'ana', ...field))
    return new Uint8Array(readFileSync(at('out.pdf')))
  }
}

/** Signing again with a program that appends; filling a field. @signpdf writes the whole file anew. */
function changesBy(signers: Steps): Steps {
  const appending = signers.filter(([name]) => name !== '@signpdf/signpdf')
  return [
    ...appending.map(([name, sign]) => [`signed again by ${name}`, sign] as const),
    ['filled by LibPDF', fillByLibPdf],
  ]
}

async function fillByLibPdf(file: Uint8Array): Promise<Uint8Array> {
  const document = await PDF.load(file)
  const [field] = document.getForm()?.getTextFields() ?? []
  if (!field) throw new Error('no text field')
  field.setValue('Ana')
  return document.save({ incremental: true })
}
