import { expect, test } from 'vitest'
import { basicConstraints, extendedKeyUsage, nameOf } from '#server/demo/certificate-minting.ts'
import { readDer } from '#server/domain/asn1/der.ts'
import { sequence, utf8String } from '#server/domain/asn1/der-writer.ts'
import { satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import { readExtensions } from '#server/domain/x509/extensions.ts'
import { readName } from '#server/domain/x509/name.ts'

const [NAME, RFC, CURP] = ['2.5.4.3', '2.5.4.45', '2.5.4.5']
const EMAIL = '1.3.6.1.5.5.7.3.4'

/** Of an e.firma with these attributes beside the name. */
function profileOf(...attributes: [oid: string, value: string][]) {
  const values = [[NAME, 'ANA'] as const, ...attributes]
  const name = nameOf(values.map(([oid, value]) => ({ oid, value: utf8String(value) })))
  const extensions = sequence(basicConstraints({ isAuthority: false }), extendedKeyUsage([EMAIL]))
  const { kind, rfc, curp, representative } = satProfileOf({
    serial: '01',
    subject: readName(readDer(name)),
    extensions: readExtensions(readDer(extensions)),
  })
  return { kind, rfc, curp, representative: representative?.rfc ?? null }
}

test('SAT profile: the holder, and who acts for a company', () => {
  expect(profileOf([RFC, 'MULA800101AB1'], [CURP, 'MULA800101MDFXPN09'])).toEqual({
    ...{ kind: 'efirma-natural', rfc: 'MULA800101AB1', curp: 'MULA800101MDFXPN09' },
    representative: null,
  })
  expect(profileOf([RFC, 'EKU9003173C9 / MULA800101AB1'])).toEqual({
    ...{ kind: 'efirma-legal', rfc: 'EKU9003173C9', curp: null },
    representative: 'MULA800101AB1',
  })
})

test.each<[string, [string, string][]]>([
  [
    'two RFC',
    [
      [RFC, 'MULA800101AB1'],
      [RFC, 'ROLL800101AB1'],
    ],
  ],
  [
    'the same RFC twice',
    [
      [RFC, 'MULA800101AB1'],
      [RFC, 'MULA800101AB1'],
    ],
  ],
  ['three RFC in one', [[RFC, 'EKU9003173C9 / MULA800101AB1 / ROLL800101AB1']]],
  ['an RFC in small letters', [[RFC, 'mula800101ab1']]],
  ['an RFC with more behind it', [[RFC, 'MULA800101AB1\0X']]],
])('SAT profile: %s is none, and no e.firma', (_, attributes) => {
  const nobody = { kind: 'unknown', rfc: null, curp: null, representative: null }
  expect(profileOf(...attributes)).toEqual(nobody)
})

test('SAT profile: two CURP are none', () => {
  const twice: [string, string] = [CURP, 'MULA800101MDFXPN09']
  expect(profileOf([RFC, 'MULA800101AB1'], twice, twice).curp).toBeNull()
})
