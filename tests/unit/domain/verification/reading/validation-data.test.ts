import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { readValidationData } from '#server/domain/verification/validation-data.ts'
import {
  type Bodies,
  bodiesWithPages,
  pdfWithTable,
  streamBody,
  textOf,
} from '#tests/support/pdf/pdf-builders.ts'

function dataIn(store: string, bodies: Bodies) {
  const file = pdfWithTable({ ...bodiesWithPages(1, `/DSS<<${store}>>`), ...bodies })
  const data = readValidationData(readDocument(memorySource(file)))
  const textsOf = (values: typeof data.ocsp) => values.map(({ der }) => textOf(der))
  const { certificates, ocsp, crls } = data
  return {
    certificates: textsOf(certificates),
    ocsp: textsOf(ocsp),
    crls: textsOf(crls),
    data,
    file,
  }
}

const flate = (data: Uint8Array) => streamBody(textOf(deflateSync(data)), '/Filter/FlateDecode')

test('validation data: of the file and of single signatures, each once and by its kind', () => {
  const store = '/Certs[40 0 R 41 0 R 40 0 R]/OCSPs[42 0 R]/VRI<</A<</CRL[43 0 R]/OCSP[42 0 R]>>>>'
  const { data, file, ...texts } = dataIn(store, {
    40: streamBody('uno'),
    41: flate(Buffer.from('dos')),
    42: streamBody('respuesta'),
    43: streamBody('lista'),
  })
  expect(texts).toEqual({ certificates: ['uno', 'dos'], ocsp: ['respuesta'], crls: ['lista'] })
  const [{ place }] = data.crls as [(typeof data.crls)[number]]
  expect(textOf(file.subarray(place.start, place.end))).toBe('lista')
})

test('validation data: what cannot be read is left out, and the rest is read', () => {
  const { certificates } = dataIn('/Certs[40 0 R 99 0 R null 41 0 R 42 0 R]', {
    40: streamBody('no zlib', '/Filter/FlateDecode'),
    41: '(no stream)',
    42: streamBody('uno'),
  })
  expect(certificates).toEqual(['uno'])
})

test('validation data: a store that would unpack to more than 32 MB is read as far as that', () => {
  const large = flate(new Uint8Array(20 << 20))
  const { data } = dataIn('/OCSPs[40 0 R 41 0 R 42 0 R]', {
    40: large,
    41: large,
    42: streamBody('respuesta'),
  })
  expect(data.ocsp.map(({ der }) => der.length)).toEqual([20 << 20, 'respuesta'.length])
})

test('validation data: a mistake of ours is not taken for a part that cannot be read', () => {
  const document = {
    catalog: { entries: new Map() },
    resolve() {
      throw new RangeError('ours')
    },
  } as unknown as PdfDocument
  expect(() => readValidationData(document)).toThrow(RangeError)
})
