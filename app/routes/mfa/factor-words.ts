import type { IconName } from '#app/ui/text/icon.tsx'
import type { Method } from './proof.ts'

type Words = {
  icon: IconName
  name: string
  /** What the user needs at hand. */
  line: string
}

/** Names of the factors, es-MX. */
export const factorWords: Record<Method, Words> = {
  WEBAUTHN: {
    icon: 'key',
    name: 'Llave de seguridad',
    line: 'La llave USB o NFC que usted registró.',
  },
  TOTP: {
    icon: 'phone',
    name: 'Aplicación de autenticación',
    line: 'El código de seis dígitos que muestra su teléfono.',
  },
  BACKUP_CODE: {
    icon: 'document',
    name: 'Código de respaldo',
    line: 'Uno de los códigos que usted imprimió o guardó.',
  },
  PASSWORD: {
    icon: 'shield',
    name: 'Contraseña',
    line: 'La contraseña con la que usted inicia sesión.',
  },
}
