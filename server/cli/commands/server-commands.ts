import type { CommandDescription } from './command-description.ts'
import { JSON_OPTION } from './command-options.ts'

/** The care of a server, es-MX. */
export const SERVER_COMMANDS = {
  doctor: {
    summary: 'revisa si a la instalación le falta algo',
    purpose:
      'Revisa la bitácora contra sus puntos de control, los archivos contra la base de datos, las llaves, el espacio del disco, el correo, las autoridades de sellos de tiempo y el reloj. No cambia nada; el servidor puede seguir trabajando.',
    forms: ['[--all] [--json]'],
    options: {
      all: { type: 'boolean', help: 'lee entero cada archivo guardado y compara su SHA-256' },
      json: JSON_OPTION,
    },
    isOfServer: true,
    example: 'rubrica doctor --all',
    exits: {
      0: 'no falta nada, o solo hay recomendaciones',
      1: 'algo se perdió o no funciona',
      2: 'las opciones están mal, no hay ninguna notaría en la carpeta de datos o es de otra versión',
    },
  },
  'blobs migrate': {
    summary: 'copia los archivos de los documentos a otro lugar',
    purpose:
      'Copia a LUGAR todos los archivos que la base de datos nombra, cifrados como están, desde BLOBS_URL y BLOBS_ALSO. Lo que ya está en LUGAR con su tamaño no se copia otra vez: si se interrumpe, ejecútelo de nuevo. El servidor puede seguir trabajando; lo que se agregue mientras tanto se copia en la siguiente ejecución. Al final dice qué variables cambiar. No quita nada, salvo con --remove-source.',
    forms: ['--to LUGAR [--remove-source]'],
    options: {
      to: {
        type: 'string',
        value: 'LUGAR',
        help: 's3://bucket/prefijo, o folder: la carpeta de DATA_DIR',
      },
      'remove-source': {
        type: 'boolean',
        help: 'quita de BLOBS_ALSO los archivos que ya están en LUGAR, si LUGAR es BLOBS_URL',
      },
    },
    isOfServer: true,
    example: 'rubrica blobs migrate --to s3://notaria-12/rubrica',
    exits: {
      0: 'todos los archivos están en LUGAR',
      1: 'algún archivo falta, o no se pudo leer o escribir un almacén; el motivo está en la salida de errores',
      2: 'las opciones están mal, no hay ninguna notaría en la carpeta de datos o LUGAR es de otra base de datos',
    },
  },
  'lift-lock': {
    summary: 'quita el bloqueo de una cuenta que tuvo demasiados intentos fallidos',
    purpose:
      'Permite que una persona intente entrar de nuevo sin esperar a que termine el bloqueo de su cuenta. Es para la notaría cuyo único administrador no puede entrar; los demás lo quitan en “Usuarios”. No cambia la contraseña ni la verificación en dos pasos. Queda en la bitácora.',
    forms: ['--email CORREO'],
    options: {
      email: { type: 'string', value: 'CORREO', help: 'correo con que entra la persona' },
    },
    isOfServer: true,
    example: 'rubrica lift-lock --email titular@notaria.example',
    exits: {
      0: 'la cuenta no tiene ningún bloqueo',
      1: 'ninguna persona tiene ese correo',
      2: 'las opciones están mal o no hay ninguna notaría en la carpeta de datos',
    },
  },
  'recover-administrator': {
    summary: 'crea un enlace para un administrador que olvidó su contraseña',
    purpose:
      'Muestra un enlace que sirve una vez, durante 24 horas, para que un administrador elija una contraseña nueva. Es para la notaría cuyo único administrador no puede entrar; los demás lo crean en “Usuarios”. El enlace empieza con PUBLIC_ORIGIN, como el servidor. No cambia la verificación en dos pasos. Queda en la bitácora y avisa a todas las personas de la notaría.',
    forms: ['--email CORREO'],
    options: {
      email: { type: 'string', value: 'CORREO', help: 'correo con que entra el administrador' },
    },
    isOfServer: true,
    example: 'rubrica recover-administrator --email titular@notaria.example',
    exits: {
      0: 'se mostró el enlace',
      1: 'ningún administrador activo tiene ese correo',
      2: 'las opciones están mal o no hay ninguna notaría en la carpeta de datos',
    },
  },
  'rotate-keys': {
    summary: 'cifra de nuevo los secretos de la base de datos',
    purpose:
      'Crea una llave nueva y cifra con ella todos los secretos de la base de datos. El servidor puede seguir trabajando; si se interrumpe, la siguiente ejecución termina lo que falta.',
    forms: ['[--drop-old]'],
    options: {
      'drop-old': {
        type: 'boolean',
        help: 'no crea ninguna llave: borra las anteriores que ya no cifran nada, una hora después o más',
      },
    },
    isOfServer: true,
    example: 'rubrica rotate-keys',
    exits: {
      0: 'todos los secretos están cifrados con la llave más nueva',
      1: 'algún secreto no se pudo abrir y quedó como estaba',
      2: 'las opciones están mal o no hay llaves en la carpeta de secretos',
    },
  },
  'rotate-office-keys': {
    summary: 'renueva las llaves que protegen los archivos de las notarías',
    purpose:
      'Cada archivo guardado está cifrado con su propia llave, y esa llave, con la de su notaría. Este comando crea una llave nueva para cada notaría y cifra con ella las llaves de sus archivos; los archivos no cambian. El servidor puede seguir en marcha. Si se interrumpe, ejecútelo otra vez.',
    forms: ['[--drop-old]'],
    options: {
      'drop-old': {
        type: 'boolean',
        help: 'no crea ninguna llave: borra las anteriores que ya no protegen ningún archivo, una hora después o más',
      },
    },
    isOfServer: true,
    example: 'rubrica rotate-office-keys',
    exits: {
      0: 'las llaves de todos los archivos están cifradas con la llave más nueva de su notaría',
      1: 'la llave de algún archivo no se pudo abrir y quedó como estaba',
      2: 'las opciones están mal o no hay llaves en la carpeta de secretos',
    },
  },
} as const satisfies Record<string, CommandDescription>
