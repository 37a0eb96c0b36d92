import { Box, Skeleton } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Page } from '../../ui/page';
import { insightHeadings } from './insight-headings';

/** As high as the tabs, which come with the code of the page. */
const tabsHeight = 37;

/** What is known of the page before its code and the project have come. */
export function InsightOutline() {
  const { kind } = useParams({ strict: false });
  const heading = Object.values(insightHeadings).find(({ name }) => name === kind);
  return (
    <>
      <Box h={tabsHeight} mb="md" />
      {heading && (
        <Page title={heading.label} description={heading.description}>
          <Skeleton h={340} role="status" aria-label="Loading" />
        </Page>
      )}
    </>
  );
}
