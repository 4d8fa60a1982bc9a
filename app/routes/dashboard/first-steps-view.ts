import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { FirstSteps } from '#server/features/offices/read-first-steps.ts'
import type { FirstStep } from './first-steps.tsx'

/** The steps with the page where each is set; undefined if everything is set. */
export function firstStepsView(steps: FirstSteps): FirstStep[] | undefined {
  const shown = [
    {
      name: 'Autoridades de confianza',
      isDone: steps.authorities,
      to: '/dashboard/settings/authorities/new',
      what: 'Importe los certificados del SAT: sin ellos ninguna e.firma se reconoce.',
    },
    {
      name: 'Sellos de tiempo',
      isDone: steps.timestamps,
      to: '/dashboard/settings/providers/new',
      what: 'Agregue la autoridad que fecha cada firma.',
    },
    {
      name: 'Constancias NOM-151',
      isDone: steps.constancias,
      to: '/dashboard/settings/providers/new?kind=constancia',
      what: 'Agregue el proveedor que conserva los documentos terminados.',
    },
    {
      name: 'Correo',
      isDone: steps.mail,
      to: '/dashboard/settings/mail',
      what: 'Indique el servidor de correo y pruébelo; mientras tanto los correos esperan.',
    },
    {
      name: 'Notario',
      isDone: steps.notary,
      to: '/dashboard/users/new',
      what: 'Invite a quien firma, con el rol de notario y su calidad.',
    },
    {
      name: 'Número de instrumento',
      isDone: steps.numbers,
      to: `/dashboard/settings/numbers/${INSTRUMENT_SERIES}`,
      what: 'Escriba el número que sigue en el protocolo; desde ahí se toman en orden.',
    },
    {
      name: 'Copia de seguridad',
      isDone: steps.backup,
      to: '/dashboard/settings#respaldos',
      what: 'Quien opera el servidor hace el primer respaldo; su estado se ve en “Respaldos”.',
    },
    {
      name: 'Segundo factor de todos',
      isDone: steps.withoutFactor === 0,
      to: '/dashboard/settings/second-factor',
      what: `${peopleWithout(steps.withoutFactor)} sin verificación en dos pasos. Puede exigirse a toda la notaría.`,
    },
  ]
  return shown.every(({ isDone }) => isDone) ? undefined : shown
}

const peopleWithout = (count: number) => (count === 1 ? 'Hay una persona' : `Hay ${count} personas`)
