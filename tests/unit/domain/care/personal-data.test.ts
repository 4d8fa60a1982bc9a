import { expect, test } from 'vitest'
import { isNameOf, ownCharacter } from '#server/domain/care/personal-data.ts'

test.each([
  ['Benito Núñez Peña', 'BENITO NUNEZ PENA'],
  ['Benito Núñez Peña', 'Benito Núñez'],
  ['María de la Luz Pérez', 'Maria Luz Perez Soto'],
  ['Granjas del Bajío', 'Granjas del Bajío, S.A. de C.V.'],
])('name: %s and %s may be one person', (one, other) => {
  expect([isNameOf(one, other), isNameOf(other, one)]).toEqual([true, true])
})

test.each([
  ['Benito Núñez Peña', 'Berta Núñez Peña'],
  ['Benito Núñez Peña', 'Carla Ruiz'],
  ['Benito Núñez Peña', ''],
  ['Benito Núñez Peña', 'de la'],
])('name: %s and %s are not one person', (one, other) => {
  expect([isNameOf(one, other), isNameOf(other, one)]).toEqual([false, false])
})

test.each([
  ['Comprador', 'Comprador'],
  ['Representante legal de Carla Ruiz Soto', 'Representante legal'],
  ['Comprador\nApoderado por Carla Ruiz', 'Comprador, Apoderado'],
  ['Testigo, a ruego y en nombre de Carla', 'Testigo,'],
  [null, null],
])('character: of %j only what is said of the person stays', (character, own) => {
  expect(ownCharacter(character)).toBe(own)
})
