// In a layer, so that the styles of pages win in whatever order the files are loaded.
import '@mantine/core/styles.layer.css';
import './app/app.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { preparePages } from './ui/later';
import { queryClient } from './api/query-client';
import { router } from './app/router';
import { insightKindQuery, insightKinds } from './insights/kinds';
import { theme } from './app/theme';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element #root');

// A transition is drawn in short pieces, between which the browser can answer.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  ),
);

/** Long enough for the first page to load its own data before. */
setTimeout(
  () => void preparePages(insightKinds.map((kind) => () => queryClient.prefetchQuery(insightKindQuery(kind)))),
  5000,
);
