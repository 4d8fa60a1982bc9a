import type { TokenRefusal } from '#server/domain/signing/token-refusal.ts'

const TOKEN_SENTENCES: Record<TokenRefusal, string> = {
  'module-unusable':
    'No se pudo usar el módulo PKCS#11. Revise que su ruta sea la de la biblioteca del fabricante y que corresponda a este equipo.',
  'no-token': 'No hay ningún token conectado. Conéctelo e intente de nuevo.',
  'no-such-token':
    'No hay ningún token conectado con ese nombre. Conéctelo, o revise el nombre, e intente de nuevo.',
  'no-certificate':
    'El token no contiene un certificado de e.firma de quien debe firmar. Conecte el token correcto.',
  'no-key':
    'El token contiene el certificado, pero no su clave privada RSA. Revise con qué se preparó el token.',
  'wrong-pin':
    'El NIP no es correcto. Verifíquelo e intente de nuevo: pocos intentos bloquean el token.',
  'wrong-pin-last-try':
    'El NIP no es correcto y al token le queda un solo intento, que aquí no se usará. Compruebe su NIP con el programa del fabricante.',
  'pin-last-try':
    'Al token le queda un solo intento de NIP y otro error lo bloquearía: aquí no se probó ninguno. Entre una vez con el programa del fabricante y vuelva a intentarlo.',
  'pin-resting':
    'Ya hubo dos NIP incorrectos en las últimas 24 horas y otro puede bloquear el token: aquí no se probó ninguno más. Compruebe su NIP con el programa del fabricante e intente mañana.',
  'pin-locked':
    'El NIP del token está bloqueado por intentos fallidos. Desbloquéelo con su código PUK o con el programa del fabricante.',
  'pin-unset': 'El token no tiene un NIP. Asígnelo con el programa del fabricante.',
  'pin-expired': 'El NIP del token venció. Cámbielo con el programa del fabricante.',
  'token-removed':
    'El token se desconectó antes de terminar. Conéctelo e intente de nuevo; el documento quedó como estaba.',
  'token-silent':
    'El token no respondió a tiempo. Si pide tocarlo, tóquelo cuando parpadee; desconéctelo, conéctelo e intente de nuevo.',
  'token-busy': 'Otro programa está usando el token. Espere a que termine e intente de nuevo.',
  'token-failed': 'El token no pudo firmar. Desconéctelo, conéctelo e intente de nuevo.',
  'key-mismatch':
    'La clave del token no corresponde a su certificado. Revise con qué se preparó el token.',
}

/** Why a token gave no signature and what to do, es-MX. */
export const sentenceOfToken = (refusal: TokenRefusal): string => TOKEN_SENTENCES[refusal]

export const PIN_NEEDED = 'Escriba el NIP del token.'
