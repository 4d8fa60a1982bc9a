import type { SigningMethod } from '#server/domain/documents/document-signature.ts'
import type { Office, PresencePolicy, ReminderPolicy } from '#server/domain/identity/office.ts'
import type { PresenceMethod } from '#server/domain/signing/presence.ts'
import type { Hindrance } from '#server/domain/signing/session/hindrance.ts'
import type { RejectionProof } from '#server/domain/signing/session/signer.ts'
import type { SigningSessionState } from '#server/domain/signing/session/signing-session.ts'

/* Words for the domain's values about signing, es-MX. */

export const signingMethods: Record<SigningMethod, string> = {
  browser: 'e.firma en el navegador',
  server: 'e.firma en la memoria del servidor',
  pkcs11: 'Dispositivo criptográfico',
}

export const signingSessionStates: Record<SigningSessionState, string> = {
  draft: 'Borrador',
  open: 'Abierta',
  completed: 'Completada',
  rejected: 'Rechazada',
  cancelled: 'Cancelada',
  expired: 'Vencida',
}

/** Why a signer cannot sign when it is their turn, and what to do. */
export const hindrances: Record<Hindrance, string> = {
  'account-suspended':
    'No puede firmar: su cuenta no está activa. Pida al administrador que la reactive, o sustituya al firmante.',
  'capacity-not-in-force':
    'No puede firmar: su calidad de notario no está vigente hoy. Pida al administrador que la revise, o sustituya al firmante.',
  'character-missing':
    'No puede firmar: no es notario ni abogado y no se escribió en qué carácter firma. Sustituya al firmante.',
  'character-refused':
    'No puede firmar: el carácter que se escribió corresponde a un notario o fedatario público. Sustituya al firmante.',
  'no-link': 'Todavía no tiene enlace para firmar: créelo y muéstreselo.',
  'link-over': 'Su enlace para firmar venció o se retiró: cree otro.',
}

/** How an external signer who rejected proved who they are. */
export const rejectionProofs: Record<RejectionProof, string> = {
  efirma: 'Comprobó su identidad con su e.firma.',
  'mail-code': 'Comprobó su identidad con un código enviado a su correo.',
}

/** The same, within a sentence about the rejection. */
export const rejectionProofsInBrackets: Record<RejectionProof, string> = {
  efirma: 'comprobó su identidad con su e.firma',
  'mail-code': 'comprobó su identidad con un código enviado a su correo',
}

/** How a signer proved presence; never called a signature. */
export const presenceMethods: Record<PresenceMethod, string> = {
  webauthn: 'Presencia comprobada con llave de seguridad',
  totp: 'Presencia comprobada con código de la aplicación',
}

/** The office's requirement before signing. */
export const presencePolicies: Record<PresencePolicy, string> = {
  none: 'No se pide',
  required: 'Se pide una llave de seguridad o un código',
}

/** When signers who have not signed are reminded. */
export const reminderPolicies: Record<ReminderPolicy, string> = {
  none: 'No se envían',
  '1': 'Al día siguiente',
  '3': 'A los 3 días',
  '7': 'A los 7 días',
  '1,3': 'Al día siguiente y a los 3 días',
  '1,7': 'Al día siguiente y a los 7 días',
  '3,7': 'A los 3 y a los 7 días',
  '1,3,7': 'Al día siguiente, a los 3 y a los 7 días',
}

/** Whether an office lets people send their key to the server to sign there. */
export const serverSigningPolicies: Record<Office['serverSigning'], string> = {
  allowed: 'Permitida, solo en memoria',
  disabled: 'No permitida',
}
