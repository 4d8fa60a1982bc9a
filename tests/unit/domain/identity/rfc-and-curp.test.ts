import { describe, expect, test } from 'vitest'
import { Curp, hasCurpCheckDigit } from '#server/domain/identity/curp.ts'
import { hasRfcCheckDigit, Rfc } from '#server/domain/identity/rfc.ts'

describe('RFC', () => {
  test.each([
    'EKU9003173C9',
    'L&O950913MSA',
    'IAÑL750210963',
    'JES900109Q90',
    'CACX7605101P8',
    'FUNK671228PH6',
    'XIA190128J61',
    'KAHO641101B39',
    'HAÑ930228SM9',
    'S&S051221SE2',
    'SAT970701NN3',
    'XEXX010101000',
  ])('%s has its check digit', (text) => {
    expect(hasRfcCheckDigit(Rfc.parse(text))).toBe(true)
  })

  test('a wrong check digit is only a warning', () => {
    expect(hasRfcCheckDigit(Rfc.parse('AAA010101AAA'))).toBe(false)
    expect(hasRfcCheckDigit(Rfc.parse('EKU9003173C8'))).toBe(false)
  })

  test('the generic key of the public passes although its digit is wrong', () => {
    expect(hasRfcCheckDigit(Rfc.parse('XAXX010101000'))).toBe(true)
  })

  test('case, white space and the form of Ñ do not matter', () => {
    expect(Rfc.parse(' ian\u0303l750210963 ')).toBe('IAÑL750210963')
  })

  test.each(['', 'EKU9013173C9', 'EKU900230AB1', 'EKU900317', 'EKU9003173CB', 'ÁKU9003173C9'])(
    '%j is no RFC',
    (text) => {
      expect(Rfc.safeParse(text).success).toBe(false)
    },
  )
})

describe('CURP', () => {
  test.each(['CACX760510MGTSHC04', 'VADA800927HSRSRL05'])('%s has its check digit', (text) => {
    expect(hasCurpCheckDigit(Curp.parse(text))).toBe(true)
  })

  test('a wrong check digit is only a warning', () => {
    expect(hasCurpCheckDigit(Curp.parse('CANF770131HBCSBR08'))).toBe(false)
  })

  test.each([
    'CACX761310MGTSHC04',
    'CACX760510MZZSHC04',
    'CACX760510MGTSHC0',
    'CACX760231MGTSHC04',
  ])('%s is no CURP', (text) => {
    expect(Curp.safeParse(text).success).toBe(false)
  })
})
