import type { ElectronicAnswer } from '#server/domain/signing/act/act.ts'
import type { RoleMismatch } from '#server/domain/signing/act/roles-met.ts'

/** What the sheet and the pages of a session say where its act may not be signed electronically, or it is not known. */
export const NOT_IN_PROTOCOL = 'No sustituye la firma en el protocolo'

export const electronicAnswers: Record<ElectronicAnswer, string> = {
  yes: 'Sí',
  no: 'No',
  unknown: 'Se desconoce',
}

/** `1 a 10`, `2`, `hasta 4` */
export function countText({ least, most }: RoleMismatch['role']): string {
  if (least === most) return String(least)
  return least === 0 ? `hasta ${most}` : `${least} a ${most}`
}
