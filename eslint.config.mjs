import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import noUnheardPromise from './lint/no-unheard-promise.mjs';

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      'dist-bench/',
      'node_modules/',
      'data/',
      'coverage/',
      'test/generators/',
      'test/clients/programs/',
      'clients/',
      'console/src/api/schema.d.ts',
      'console/public/',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    plugins: { regexp },
    rules: {
      // A pattern whose time grows faster than its text lets one request hold up all others.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
    },
  },
  {
    languageOptions: {
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    plugins: { kohort: { rules: { 'no-unheard-promise': noUnheardPromise } } },
    rules: {
      'kohort/no-unheard-promise': ['error', { handlers: ['within'] }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-extraneous-class': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: 'Only src/platform/config reads the environment.',
        },
      ],
    },
  },
  {
    files: ['console/**'],
    ...reactHooks.configs.flat.recommended,
    languageOptions: { parserOptions: { project: './console/tsconfig.json', tsconfigRootDir: import.meta.dirname } },
  },
  { files: ['console/vite.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
  // An unhandled rejection ends a service, not a page.
  { files: ['console/**'], rules: { 'kohort/no-unheard-promise': 'off' } },
  {
    files: ['test/**'],
    rules: { 'regexp/no-super-linear-backtracking': 'off', 'regexp/no-super-linear-move': 'off' },
  },
  { files: ['src/platform/config/**', 'test/**', 'bench/**', 'scripts/**'], rules: { 'no-restricted-syntax': 'off' } },
  // A test fails when a promise of its own is not handled, and often makes one to look at it later.
  { files: ['**/*.spec.ts', 'test/**', 'bench/**'], rules: { 'kohort/no-unheard-promise': 'off' } },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      ...tseslint.configs.disableTypeChecked.languageOptions,
      globals: {
        process: 'readonly',
        console: 'readonly',
        setInterval: 'readonly',
        setTimeout: 'readonly',
        setImmediate: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        module: 'writable',
      },
    },
  },
);
