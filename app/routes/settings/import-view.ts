import type { Tone } from '#app/ui/feedback/tone.ts'
import { MOST_CERTIFICATES } from '#server/domain/cms/certificate-bundle.ts'
import type { ImportOutcome } from '#server/domain/trust/known-authority.ts'
import type { ImportedBundle } from '#server/features/offices/import-authorities.ts'
import { tooManyCertificates } from '#server/words/authorities.ts'

const OUTCOMES: Record<ImportOutcome, { word: string; tone: Tone }> = {
  pinned: { word: 'reconocida: ya es de confianza', tone: 'good' },
  offered: { word: 'sin aceptar: no cuenta', tone: 'wait' },
  known: { word: 'ya estaba; sigue como estaba', tone: 'plain' },
  'for-testing': { word: 'rechazada: es solo para pruebas', tone: 'bad' },
  'no-authority': { word: 'rechazada: no es de una autoridad', tone: 'bad' },
}

export type ImportView = ReturnType<typeof importView>

/** The result of an import in es-MX. */
export function importView({ certificates, unreadable, isCut }: ImportedBundle) {
  const count = (outcome: ImportOutcome) =>
    certificates.filter((one) => one.outcome === outcome).length
  const [pinned, offered] = [count('pinned'), count('offered')]
  return {
    rows: certificates.map(({ sha256, name, outcome }) => ({
      sha256,
      name,
      ...OUTCOMES[outcome],
      hasPage: outcome === 'pinned' || outcome === 'offered' || outcome === 'known',
    })),
    unreadable: unreadable.slice(0, 20),
    cut: isCut ? tooManyCertificates('El archivo', MOST_CERTIFICATES) : null,
    tone: offered > 0 ? ('wait' as const) : pinned > 0 ? ('good' as const) : ('note' as const),
    sentence: sentenceOf(pinned, offered),
  }
}

function sentenceOf(pinned: number, offered: number): string {
  const summary =
    pinned === 0
      ? 'No se reconoció ninguna autoridad nueva.'
      : pinned === 1
        ? 'Se reconoció una autoridad nueva.'
        : `Se reconocieron ${pinned} autoridades nuevas.`
  if (offered === 0) return summary
  return offered === 1
    ? `${summary} Falta una decisión suya: abra la autoridad y compare su huella.`
    : `${summary} Faltan ${offered} decisiones suyas: abra cada autoridad y compare su huella.`
}
