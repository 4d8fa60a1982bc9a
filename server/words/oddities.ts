import type { Oddity } from '#server/domain/signing/session/oddities.ts'
import { countText } from './acts.ts'

const listed = (names: readonly string[]) => new Intl.ListFormat('es-MX').format(names)

/** What looks odd about a session before it is opened, and what to do about it, es-MX. */
export function sentenceOfOddity(odd: Oddity): string {
  switch (odd.code) {
    case 'no-deadline':
      return 'No tiene fecha límite: quedará abierta hasta que firmen todos o usted la cancele.'
    case 'deadline-near':
      return 'La fecha límite vence en menos de un día.'
    case 'no-notary':
      return 'Ningún notario firma como tal en esta sesión.'
    case 'same-name':
      return `${listed(odd.names)} se llaman igual y tienen RFC distintos. Si es la misma persona, uno de los RFC está mal.`
    case 'same-address':
      return `${listed(odd.names)} tienen el mismo correo electrónico: cada quien debe recibir su propio enlace.`
    case 'generic-rfc':
      return `El RFC de ${odd.name} es genérico: ninguna e.firma lo tiene y no podrá firmar.`
    case 'doubtful-rfc':
      return `El dígito verificador del RFC de ${odd.name} no corresponde. Compárelo con su constancia de situación fiscal: solo podrá firmar la e.firma que tenga ese RFC.`
    case 'no-address':
      return `${odd.name} no tiene correo electrónico: no recibirá avisos; usted le muestra o le imprime su enlace.`
    case 'account-not-active':
      return `La cuenta de ${odd.name} no está activa: no podrá entrar a firmar.`
    case 'capacity-missing':
      return `${odd.name} no tiene una calidad de notario vigente hoy: no podrá firmar mientras no la tenga.`
    case 'capacity-ends':
      return `La calidad de ${odd.name} termina antes de que termine el plazo para firmar.`
    case 'notary-first':
      return `${odd.name} firma como notario antes que las partes.`
    case 'role-missing': {
      const { role, count } = odd.mismatch
      return `${odd.act}: ${count === 0 ? 'nadie firma' : `firman ${count}`} como “${role.character}” y se esperan ${countText(role)}.`
    }
    case 'role-exceeded': {
      const { role, count } = odd.mismatch
      return `${odd.act}: firman ${count} como “${role.character}” y se esperan ${countText(role)}.`
    }
    case 'checklist-open': {
      const missing = odd.count === 1 ? 'Falta 1 punto' : `Faltan ${odd.count} puntos`
      return `${missing} de la lista de ${odd.act} en “${odd.title}”.`
    }
    case 'not-green':
      return `El archivo de “${odd.title}” llegó con avisos: cada firmante tendrá que confirmar que los vio.`
    case 'not-judged':
      return `El archivo de “${odd.title}” todavía se está revisando. Puede esperar unos segundos y recargar la página.`
    case 'held-elsewhere':
      return `“${odd.title}” está en otra sesión de firma o ya no admite firmas: así no se puede abrir esta sesión.`
  }
}
