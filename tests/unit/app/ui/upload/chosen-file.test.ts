import { describe, expect, test } from 'vitest'
import {
  type ChosenFile,
  isUnsendable,
  withFiles,
  withTitleFaults,
} from '#app/ui/upload/chosen-file.ts'

const limits = { megabytes: 1, files: 3, title: 200 }
const nothing = { title: '', kind: undefined }
const aFile = (name: string, size = 10, lastModified = 1) =>
  new File([new Uint8Array(size)], name, { lastModified })
const add = (files: File[], chosen: readonly ChosenFile[] = [], shared = nothing as Shared) =>
  withFiles(chosen, files, { shared, limits })
type Shared = Parameters<typeof withFiles>[2]['shared']

describe('chosen files', () => {
  test('each is named after its file, and its kind is guessed', () => {
    const { chosen, notes } = add([aFile('Poder  Núñez.PDF'), aFile('scan.pdf')])
    expect(chosen).toMatchObject([
      { title: 'Poder Núñez', kind: 'power-of-attorney', isGuessed: true },
      { title: 'scan', kind: 'other', isGuessed: false },
    ])
    expect(notes).toEqual([])
  })

  test('a typed title and a chosen kind go before the name', () => {
    const { chosen } = add([aFile('poder.pdf')], [], { title: 'Crédito', kind: 'act' })
    expect(chosen).toMatchObject([{ title: 'Crédito · poder', kind: 'act', isGuessed: false }])
  })

  test('the first of several gets its own title when the second comes', () => {
    const first = add([aFile('poder.pdf')]).chosen
    const { chosen } = add([aFile('acta.pdf')], first, { title: 'Crédito', kind: undefined })
    expect(chosen.map(({ title }) => title)).toEqual(['Crédito · poder', 'Crédito · acta'])
    expect(chosen[0]?.key).toBe(first[0]?.key)
  })

  test('titles that were changed stay when a third comes', () => {
    const two = add([aFile('poder.pdf'), aFile('acta.pdf')]).chosen
    const changed = two.map((one) => ({ ...one, title: `${one.title} corregida` }))
    const { chosen } = add([aFile('carta.pdf')], changed)
    expect(chosen.map(({ title }) => title)).toEqual(['poder corregida', 'acta corregida', 'carta'])
  })

  test('a file that is there already is named, not added', () => {
    const { chosen, notes } = add([aFile('poder.pdf')], add([aFile('poder.pdf')]).chosen)
    expect(chosen).toHaveLength(1)
    expect(notes).toEqual(['poder.pdf ya está en la lista.'])
    expect(add([aFile('poder.pdf', 11)], chosen).chosen).toHaveLength(2)
    expect(add([aFile('poder.pdf', 10, 2)], chosen).chosen).toHaveLength(2)
  })

  test('files above the limit are counted, not left out silently', () => {
    const four = ['a', 'b', 'c', 'd'].map((name) => aFile(`${name}.pdf`))
    expect(add(four)).toMatchObject({
      chosen: [{}, {}, {}],
      notes: ['Se pueden subir hasta 3 a la vez: 1 archivo no se agregó.'],
    })
    expect(add([...four, aFile('e.pdf')]).notes).toEqual([
      'Se pueden subir hasta 3 a la vez: 2 archivos no se agregaron.',
    ])
  })

  test.each(['mi.key', 'MI.P12', 'mi.pfx'])('%s never leaves the machine', (name) => {
    const [one] = add([aFile(name)]).chosen
    expect(one?.fault?.sentence).toContain('Es la clave privada de una e.firma')
    expect(one && isUnsendable(one)).toBe(true)
  })

  test('a file of the limit may be sent, one of a byte more may not', () => {
    const [fits, over] = add([aFile('a.pdf', 1024 ** 2), aFile('b.pdf', 1024 ** 2 + 1)]).chosen
    expect(fits?.fault).toBeUndefined()
    expect(over?.fault?.sentence).toBe(
      'El archivo supera el límite de 1 MB. No se envió; elija uno más pequeño.',
    )
  })

  test('one that was refused gives way to those chosen next, one with a bad title does not', () => {
    const three = add([aFile('a.pdf'), aFile('b.pdf'), aFile('c.pdf')]).chosen
    const [a, b, c] = three as [ChosenFile, ChosenFile, ChosenFile]
    const faulty: ChosenFile[] = [
      { ...a, fault: { sentence: 'No es un PDF.', about: 'file' } },
      { ...b, fault: { sentence: 'Escriba el título.', about: 'title' } },
      c,
    ]
    expect(add([aFile('d.pdf')], faulty).chosen.map(({ file }) => file.name)).toEqual([
      'b.pdf',
      'c.pdf',
      'd.pdf',
    ])
  })
})

test('titles: one that is too long says its length and stays whole', () => {
  const name = 'ñ'.repeat(213)
  const { chosen } = add([aFile(`${name}.pdf`), aFile('b.pdf')])
  expect(chosen[0]?.title).toBe(name)
  const [long, fine] = withTitleFaults(chosen, 200)
  expect(long?.fault).toEqual({
    sentence: 'El título tiene 213 caracteres y el límite es 200: acórtelo.',
    about: 'title',
  })
  expect(fine?.fault).toBeUndefined()
  const mended = withTitleFaults([{ ...(long as ChosenFile), title: 'corto' }], 200)
  expect(mended[0]?.fault).toBeUndefined()
  expect(withTitleFaults([{ ...(fine as ChosenFile), title: '  ' }], 200)[0]?.fault?.sentence).toBe(
    'Escriba el título del documento.',
  )
})
