import { expect, test } from 'vitest'
import {
  claimsNotarialOffice,
  nameClaimsNotarialOffice,
} from '#server/domain/identity/notarial-claim.ts'

test.each([
  'Notario titular',
  'notaria',
  'NOTARIA PÚBLICA 12',
  'Titular de la Notaría 12',
  'Nötärîo suplente',
  'N o t a r i o',
  'N.o.t.a.r.i.o',
  'No tario',
  'No\u200btario',
  'Not\u00adario',
  'No\u3164tario',
  'Not\u2800ario',
  'Ｎｏｔａｒｉｏ',
  '𝐍𝐨𝐭𝐚𝐫𝐢𝐨',
  'Ⓝⓞⓣⓐⓡⓘⓞ',
  'ɴᴏᴛᴀʀɪᴏ',
  'Nоtаriо', // Cyrillic о and а
  'Νοταρίο', // Greek
  'Нотарио', // Cyrillic, by sound
  'Notɑrıo',
  'N0tar1o',
  'Notarlo',
  'N0t@r!o',
  'Not|rio Notar|o',
  'NOTARIО', // Cyrillic О
  '🇳🇴🇹🇦🇷🇮🇴',
  '🅝🅞🅣🅐🅡🅘🅞',
  '🅽🅾🆃🅰🆁🅸🅾',
  'Exnotario',
  'Fedatario público',
  'Fedataria',
  'Feďatario',
  'Feclatario',
  'Con fe pública',
  'Corredor público 5',
  'Corredora Pública',
  'Not. Púb.',
  'Notary public',
  'Notaire',
  'Escribano público',
  'Titular',
  'El suplente',
  'Adscrita',
  'Interino',
  'Poder notarial del notario',
])('declared character: %j claims a notarial office', (text) => {
  expect(claimsNotarialOffice(text)).toBe(true)
})

test.each([
  'Compradora',
  'Testigo',
  'Vendedor',
  'Apoderada de la arrendataria',
  'Apoderado con poder notarial 1,234',
  'Representante según acta notarial',
  'Asociado',
  'Consejero suplente',
  'Titular de los derechos',
  'Apoderada de Mariano Tarín',
  'Hermano tardío',
  'Mandataria',
  'Arrendataria',
  'Donataria y fideicomisaria',
  'Depositario',
  'Interina de la presidencia',
  'Firmante',
  'Por sí y en representación de Ñandú, S.A. de C.V.',
  'Servidora pública',
  'Contador público',
])('declared character: %j claims none', (text) => {
  expect(claimsNotarialOffice(text)).toBe(false)
})

test.each([
  'Notario titular',
  'Notario Titular Juan Pérez',
  'Notario Juan Pérez Soto',
  'Juan Pérez, notario',
  'Juan Pérez (Notaria)',
  'Juan Pérez Notario Público',
  'Juan Pérez Notario 12',
  'Lic. Notario Pérez',
  'Juan Pérez N0tario Suplente',
  'Juan Pérez Nоtariо Titular',
  'Juan Pérez fedatario',
  'Notaría 12',
  'Titular',
])('name: %j claims a notarial office', (name) => {
  expect(nameClaimsNotarialOffice(name)).toBe(true)
})

test.each([
  'Javier Notario Ruiz',
  'María Pérez Notario',
  'Mariano Tarín',
  'Begoña Peñaloza Yáñez',
  'Tomás Escribano Corredor',
  'Пётр Ильич',
])('name: %j claims none', (name) => {
  expect(nameClaimsNotarialOffice(name)).toBe(false)
})
