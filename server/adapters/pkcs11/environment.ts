/**
 * What a maker's module may know of our environment, by name; whatever is not here is not told. Passwords of databases
 * and of mail servers stand there, and a module is foreign code.
 */
export const MODULE_ENVIRONMENT: readonly string[] = [
  // Where libraries, programs and temporary files are.
  'PATH',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'TMPDIR',
  'TMP',
  'TEMP',
  // Where a module keeps its own settings.
  'HOME',
  'XDG_CONFIG_HOME',
  'XDG_RUNTIME_DIR',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMROOT',
  'WINDIR',
  // In what words and by what clock it speaks.
  'LANG',
  'LC_ALL',
  'TZ',
  // Settings of the modules that we know, by their makers' names: SoftHSM, OpenSC, the reader service, YubiHSM,
  // Luna, nShield, Utimaco, p11-kit.
  'SOFTHSM2_CONF',
  'OPENSC_CONF',
  'PCSCLITE_CSOCK_NAME',
  'YUBIHSM_PKCS11_CONF',
  'ChrystokiConfigurationPath',
  'NFAST_HOME',
  'CS_PKCS11_R3_CFG',
  'CS_PKCS11_R2_CFG',
  'P11_KIT_SERVER_ADDRESS',
]
