import { describe, expect, it } from '@jest/globals';
import { settingNames } from './process-environment.js';
import { misspeltVariables } from './misspelt-variables.js';

const found = (...names: string[]) => misspeltVariables(names, settingNames);

describe('misspelt variables', () => {
  it.each([
    ['RATELIMIT_PER_MINUTE', 'RATE_LIMIT_PER_MINUTE'],
    ['database_uri', 'DATABASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['PORTS', 'PORT'],
    ['DATA_DRI', 'DATA_DIR'],
    ['PROT', 'PORT'],
    ['PORTT', 'PORT'],
    ['RATE_LIMIT', 'RATE_LIMIT_PER_MINUTE'],
    ['METRICSPORT', 'METRICS_PORT'],
    ['RATELIMITPERMINUTE', 'RATE_LIMIT_PER_MINUTE'],
    ['COHORT_REFRESH_MINUTE', 'COHORT_REFRESH_MINUTES'],
  ])('%s is named with %s', (name, meant) => {
    expect(found(name)).toEqual([`${name} is not a variable of Kohort: did you mean ${meant}?`]);
  });

  it('are silent about the variables of a usual environment', () => {
    const usual =
      'PATH HOME HOSTNAME USER LOGNAME SHELL SHLVL PWD OLDPWD LANG LC_ALL TERM TZ EDITOR DISPLAY COLOR NODE NODE_OPTIONS ' +
      'NODE_VERSION YARN_VERSION npm_config_cache npm_lifecycle_event npm_package_name INIT_CWD UV_THREADPOOL_SIZE ' +
      'PORT_HTTP PORT_8080_TCP HOSTTYPE MAIL LS_COLORS DEBUG CI POSTGRES_PASSWORD POSTGRES_USER CLICKHOUSE_PASSWORD KOHORT_ADDRESS KUBERNETES_SERVICE_HOST KUBERNETES_PORT TMPDIR _';
    expect(found(...usual.split(' '))).toEqual([]);
    expect(found(...usual.split(' '), 'PORT', 'HOST', 'NODE_ENV', 'DATA_DIR')).toEqual([]);
  });

  it('are silent where the variable that may be meant is set too, and the names are not close', () => {
    expect(found('DATABASE_USER', 'DATABASE_URL')).toEqual([]);
    expect(found('DATADIR', 'DATA_DIR')).toHaveLength(1);
    expect(found('PORTT', 'PORT')).toHaveLength(1);
  });
});
