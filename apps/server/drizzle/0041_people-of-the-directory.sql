CREATE TABLE "directory_readings" (
	"directory" text PRIMARY KEY NOT NULL,
	"execution_id" uuid NOT NULL,
	"people" jsonb,
	"failure" text,
	"date_read" timestamp with time zone DEFAULT now() NOT NULL
);
